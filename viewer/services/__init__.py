"""Services: what answers requests, with the engine's help. QtCore only."""
