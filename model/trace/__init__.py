"""Traces: what one decoding or reading showed, in memory and in files. No torch."""
