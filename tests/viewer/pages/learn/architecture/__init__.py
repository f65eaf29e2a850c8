"""Tests of viewer/pages/learn/architecture."""
