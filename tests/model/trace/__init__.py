"""Tests of model/trace."""
