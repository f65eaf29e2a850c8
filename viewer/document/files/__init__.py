"""Files: a session on disk, written and read."""
