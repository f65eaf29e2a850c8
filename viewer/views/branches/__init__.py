"""The drawer's Branches: the tree of tokens, its details, and the list of runs."""
