"""Tests of model/network."""
