"""Resources: bundled models, samples, icons, translations: data, no logic."""
