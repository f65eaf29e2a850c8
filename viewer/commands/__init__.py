"""Commands that draw: the window, `render`, `demo`."""
