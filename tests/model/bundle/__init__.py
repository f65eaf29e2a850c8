"""Tests of model/bundle."""
