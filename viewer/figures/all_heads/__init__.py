"""Heads of all families on one page: the kind `all_heads`."""
