"""Extensions: what other packages may add, and what is said of those that fail."""
