"""Experiments in words and pictures, one file each; what they compute is `model.experiments`."""
