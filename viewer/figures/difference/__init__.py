"""Difference: one map of two decodings."""
