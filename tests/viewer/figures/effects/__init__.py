"""Tests of the picture of effects."""
