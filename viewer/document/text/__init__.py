"""Texts: tokens, models, inputs and what is missing, in words."""
