"""What the user looks at. QtCore only; no torch."""
