"""Arithmetic: one weight worked out."""
