"""Palette: everything the window can do and everywhere it can go, found by name."""
