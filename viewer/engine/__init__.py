"""Engine: the background thread that owns the models; the viewer's only room that touches torch code."""
