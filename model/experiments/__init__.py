"""Experiments: Transformers trained side by side, and what differs; no torch but in `running`."""
