"""Tests of viewer/document/text."""
