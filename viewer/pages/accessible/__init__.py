"""Accessible: what assistive technology is told of tabs, and of pictures that are really tables."""
