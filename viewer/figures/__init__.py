"""Figures: one folder a picture, one row a kind in the registry. No widgets; no torch."""
