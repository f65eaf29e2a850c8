"""Foreign models: those of Hugging Face that the `transformers` package runs (extra `hf`)."""
