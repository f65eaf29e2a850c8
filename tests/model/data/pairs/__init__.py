"""Tests of model/data/pairs."""
