"""Tests of viewer/document/training."""
