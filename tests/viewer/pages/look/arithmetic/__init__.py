"""Tests of viewer/pages/look/arithmetic."""
