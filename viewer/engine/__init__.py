"""The background thread that owns the models; the only room of the viewer that touches torch code."""
