"""Tests of model/folder."""
