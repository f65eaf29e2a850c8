"""Tests of viewer/pages/look/compare."""
