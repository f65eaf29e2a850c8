"""Tests of viewer/pages/look."""
