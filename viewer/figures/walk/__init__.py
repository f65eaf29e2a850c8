"""Walk: a position's way through the layers."""
