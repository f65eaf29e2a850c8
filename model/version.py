"""Version, written into every file that Headscope makes; the same as in pyproject.toml."""

VERSION = "0.2.0"
