"""Architecture: what a model is made of, drawn as figure 1 of "Attention Is All You Need"."""
