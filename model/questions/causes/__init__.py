"""Causes: questions about why a model did something, a file a method; no torch, no SentencePiece."""
