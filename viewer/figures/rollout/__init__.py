"""Rollout: a map of attention followed through the encoder's layers."""
