"""Positions: what a model knows of them, drawn by what it knows."""
