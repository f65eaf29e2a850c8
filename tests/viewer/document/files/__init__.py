"""Tests of viewer/document/files."""
