"""Lessons: what the pages of Learn say and draw, a file a lesson. No widgets."""
