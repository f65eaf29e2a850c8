"""Questions about causes, and their answers: a file a method. No torch."""
