"""Lessons: what the pages of Learn compute, a file a lesson; `answers` holds what takes torch."""
