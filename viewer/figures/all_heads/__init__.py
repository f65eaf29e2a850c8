"""Heads of all kinds on one page: the kind `all_heads`."""
