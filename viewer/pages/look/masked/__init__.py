"""Masked word: the inspector's first tab of a model that reads: what it puts in a word's place."""
