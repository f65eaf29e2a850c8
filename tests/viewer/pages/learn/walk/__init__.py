"""Tests of viewer/pages/learn/walk."""
