"""Folders: what a model's folder says of itself, before any weight is read. No torch."""
