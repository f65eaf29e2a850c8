"""Tests of viewer/services."""
