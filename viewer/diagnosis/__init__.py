"""Diagnosis: what is needed to tell why something does not work here, and nothing private."""
