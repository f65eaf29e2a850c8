"""Tests of viewer/pages/look/branches."""
