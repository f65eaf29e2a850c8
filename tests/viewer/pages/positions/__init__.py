"""Tests of viewer/pages/positions."""
