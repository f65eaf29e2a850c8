"""Objectives: what a training step lowers, one file an objective or penalty; the registry picks."""
