"""Tests of viewer/pages/learn/two_sentences."""
