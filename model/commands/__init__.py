"""Commands that need no screen, one file each, imported on demand."""
