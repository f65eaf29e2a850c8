"""Inspection: what a model computed on the way to its attention weights and its words, as numbers."""
