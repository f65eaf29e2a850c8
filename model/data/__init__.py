"""Data: sentence pairs, where they come from, how they are set apart, encoded and cut into batches."""
