"""Clocks: pairs of dimensions as hands."""
