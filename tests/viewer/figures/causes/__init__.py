"""Tests of figures of causes."""
