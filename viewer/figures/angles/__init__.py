"""Angles: by how much queries and keys are turned."""
