"""Bundled models, samples, icons, translations: data, no logic."""
