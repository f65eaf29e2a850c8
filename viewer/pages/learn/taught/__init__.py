"""Taught: the page of a lesson, the same for all: why, controls, picture, what to expect, what you got."""
