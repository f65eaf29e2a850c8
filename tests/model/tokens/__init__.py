"""Tests of model/tokens."""
