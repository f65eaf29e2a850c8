"""Tests of model/foreign/networks."""
