"""Tests of viewer/dialogs."""
