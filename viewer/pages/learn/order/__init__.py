"""The order experiment: what is left of the order of words without positions."""
