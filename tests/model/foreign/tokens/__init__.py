"""Tests of model/foreign/tokens."""
