"""Pages: the widgets of the window, a folder a page."""
