"""Heads: their metrics, roles and agreement with gold alignments. No torch."""
