"""Positions: formulas, and what is known of a model's. No torch."""
