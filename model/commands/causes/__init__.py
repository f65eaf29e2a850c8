"""Causes: the commands that tell why a model did something."""
