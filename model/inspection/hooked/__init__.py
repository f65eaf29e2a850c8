"""Hooked models: what hooks on the modules of a model of `transformers` see, and what follows."""
