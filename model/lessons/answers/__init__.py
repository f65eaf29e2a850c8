"""Answers: what lessons ask of the open model, or have computed beside the window."""
