"""Causes: why a model did something, as sheets: sums taken apart, what tokens did, maps put to the test."""
