"""Looks: the style sheet of the window, and how another one, or another language, reaches every widget."""
