"""Tokens of other models: their tokenizers behind ours."""
