"""The inspector's What if tab."""
