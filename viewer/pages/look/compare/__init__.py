"""Compare: the drawer's panel of the pinned run against the one in view."""
