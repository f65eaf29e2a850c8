"""The inspector's first tab for models that read and write nothing: what stands at a masked word."""
