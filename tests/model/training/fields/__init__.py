"""Tests of model/training/fields."""
