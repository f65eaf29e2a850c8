"""Drawing figures on any paint device: the window and every export alike."""
