"""The curves of a training run."""
