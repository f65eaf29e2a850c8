"""Bundles: the folder that holds a model, read and written."""
