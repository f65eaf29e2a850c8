"""Tests of model/lessons."""
