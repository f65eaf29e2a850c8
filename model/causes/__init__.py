"""How questions about causes are answered: what a score, a word, a token is made of, a file a method."""
