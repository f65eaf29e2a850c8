"""Flow: tokens in two columns, lines by weight."""
