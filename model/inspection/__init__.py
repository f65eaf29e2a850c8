"""What a model computed on the way to its attention weights and its words, told as numbers."""
