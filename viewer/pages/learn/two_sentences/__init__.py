"""Two sentences, one word: what its context makes of it."""
