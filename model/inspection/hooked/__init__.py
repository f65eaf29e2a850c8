"""Models of others, asked: what hooks on their modules see of a reading, and what follows from it."""
