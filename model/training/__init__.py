"""Training: what a run is told, the optimizer's steps, and what is kept on disk."""
