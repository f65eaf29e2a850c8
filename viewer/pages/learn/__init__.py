"""The Learn page: lessons, a folder each, and their list."""
