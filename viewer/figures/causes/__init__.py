"""Causes: why a model did something, as sheets: sums taken apart into what earlier parts wrote."""
