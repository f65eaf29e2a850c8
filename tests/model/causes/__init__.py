"""Tests of what answers why."""
