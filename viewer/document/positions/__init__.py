"""Positions: what is chosen on their page, and what is known of a model's."""
