"""Causes: what the panels of Look share that say why a model did something."""
