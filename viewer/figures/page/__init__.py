"""Page of the window: the kind of what it shows, whatever it draws."""
