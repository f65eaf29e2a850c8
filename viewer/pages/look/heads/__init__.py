"""The heads: the mosaic of a family, and all of all families."""
