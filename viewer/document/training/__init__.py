"""Training: a run as the window shows it."""
