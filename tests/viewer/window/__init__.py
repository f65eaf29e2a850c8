"""Tests of viewer/window."""
