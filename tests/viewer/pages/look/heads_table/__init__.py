"""Tests of viewer/pages/look/heads_table."""
