"""Closeness: one word in two sentences."""
