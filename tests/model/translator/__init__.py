"""Tests of model/translator."""
