"""Running: an experiment's models trained and measured."""
