"""Tests of viewer/pages/look/what_if."""
