"""Next word: the inspector's first tab: candidates of a step, and what it takes from the source."""
