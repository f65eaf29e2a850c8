"""Tests of viewer/figures/shares."""
