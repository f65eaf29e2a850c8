"""Preferences: the window in which what the program remembers is set."""
