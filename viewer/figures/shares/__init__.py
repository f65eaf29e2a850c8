"""Shares of source and prefix."""
