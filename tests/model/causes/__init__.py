"""Tests of how questions about causes are answered."""
