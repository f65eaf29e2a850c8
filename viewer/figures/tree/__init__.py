"""Tree: what several decodings have in common."""
