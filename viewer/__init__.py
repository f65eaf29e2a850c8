"""The desktop application: what a person sees and does."""
