"""Rotation: one position turned into another."""
