"""Tests of viewer/figures/architecture."""
