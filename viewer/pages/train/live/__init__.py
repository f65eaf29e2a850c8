"""Live training: where a run is, its samples, its probe."""
