"""Tests of what the panels of Look say of causes."""
