"""Bases: two sinusoidal encodings."""
