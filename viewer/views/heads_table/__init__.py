"""The drawer's Heads table: what every head does, as numbers."""
