"""Distance of positions."""
