"""The heads: the mosaic of a kind, and all of all kinds."""
