"""Models of others, looked into and changed."""
