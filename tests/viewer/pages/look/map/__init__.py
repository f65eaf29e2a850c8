"""Tests of viewer/pages/look/map."""
