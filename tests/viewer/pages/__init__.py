"""Tests of viewer/pages."""
