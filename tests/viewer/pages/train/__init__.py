"""Tests of viewer/pages/train."""
