"""Questions about causes: what made a model write a word; a file a method. No torch."""
