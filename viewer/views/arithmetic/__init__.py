"""The inspector's Arithmetic tab: one cell worked out from query and key to W_O."""
