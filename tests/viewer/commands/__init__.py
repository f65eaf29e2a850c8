"""Tests of viewer/commands."""
