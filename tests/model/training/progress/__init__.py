"""Tests of model/training/progress."""
