"""Tests of viewer/pages/look/next_word."""
