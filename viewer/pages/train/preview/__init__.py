"""Preview of what a run will learn from: pairs, lengths, what is left out."""
