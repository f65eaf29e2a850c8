"""Arithmetic: the inspector's tab of one weight worked out."""
