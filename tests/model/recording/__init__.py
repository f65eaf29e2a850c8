"""Tests of model/recording."""
