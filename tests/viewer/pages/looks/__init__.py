"""Tests of viewer/pages/looks."""
