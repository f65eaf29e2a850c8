"""Viewer: the desktop application, what a person sees and does."""
