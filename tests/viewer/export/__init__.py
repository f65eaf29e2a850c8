"""Tests of viewer/export."""
