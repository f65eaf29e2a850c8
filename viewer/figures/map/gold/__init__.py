"""Gold links over a map: which cells, their words, how they are drawn."""
