"""Tests of model/heads."""
