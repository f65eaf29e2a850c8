"""Tests of viewer/pages/look/classes."""
