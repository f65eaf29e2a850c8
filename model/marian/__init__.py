"""Marian and OPUS-MT folders, loaded into our own Transformer."""
