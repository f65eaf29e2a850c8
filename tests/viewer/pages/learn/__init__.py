"""Tests of viewer/pages/learn."""
