"""Tests of variants of the plain Transformer."""
