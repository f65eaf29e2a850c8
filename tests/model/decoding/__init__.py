"""Tests of model/decoding."""
