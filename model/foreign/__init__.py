"""Other models of Hugging Face, run by the `transformers` package (extra `hf`)."""
