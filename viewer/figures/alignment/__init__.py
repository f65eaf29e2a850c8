"""Alignment: the words that a map links."""
