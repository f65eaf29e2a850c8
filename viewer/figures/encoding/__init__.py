"""Encoding: a positional encoding."""
