"""Tests of the contribution graph."""
