"""The manual in a window of its own: its pages, its search, the keys of each place."""
