"""A lecture: the window before an audience, and its stops on paper."""
