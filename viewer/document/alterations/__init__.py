"""Alterations in the window: one file each with its words, and the edits that its part of What if makes."""
