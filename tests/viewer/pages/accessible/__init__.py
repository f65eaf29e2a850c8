"""Tests of viewer/pages/widgets."""
