"""Tour: eight steps that make one act, from a sentence to the next word; each is done by doing it."""
