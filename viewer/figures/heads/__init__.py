"""Heads: all heads of a kind."""
