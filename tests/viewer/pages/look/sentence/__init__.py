"""Tests of viewer/pages/look/sentence."""
