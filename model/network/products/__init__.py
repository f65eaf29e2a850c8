"""Products: the ways to multiply one row, or a few, by a matrix, and which of them is quickest here."""
