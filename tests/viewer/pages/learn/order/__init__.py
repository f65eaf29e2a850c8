"""Tests of viewer/pages/learn/order."""
