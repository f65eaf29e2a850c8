"""Branches: the drawer's tree of continuations, and the runs."""
