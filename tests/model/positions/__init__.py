"""Tests of model/positions."""
