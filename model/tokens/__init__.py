"""Tokens: texts cut into pieces, and pieces read as words. No torch."""
