"""Tests of viewer/document/messages."""
