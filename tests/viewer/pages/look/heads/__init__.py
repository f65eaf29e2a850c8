"""Tests of viewer/pages/look/heads."""
