"""Tests of viewer/pages/look/sentences."""
