"""Tests of viewer/engine."""
