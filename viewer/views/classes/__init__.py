"""The inspector's first tab for models that sort texts: their classes and how probable each is."""
