"""Tests of model/files."""
