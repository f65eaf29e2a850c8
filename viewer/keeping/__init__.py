"""Keeping what was done: sessions written by themselves, and found again after a crash. QtCore only."""
