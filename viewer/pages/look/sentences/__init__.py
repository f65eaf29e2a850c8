"""Sentences: the drawer's list of them, translated in one go."""
