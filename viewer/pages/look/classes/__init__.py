"""Classes: the inspector's first tab of a model that sorts texts."""
