"""Tests of viewer/pages/look/masked."""
