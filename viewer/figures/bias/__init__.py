"""Bias by distance."""
