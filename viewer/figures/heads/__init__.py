"""Heads: all heads of a family."""
