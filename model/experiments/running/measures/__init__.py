"""Measures: what is measured of an experiment's trained models, one file an experiment."""
