"""Curves: what training measured."""
