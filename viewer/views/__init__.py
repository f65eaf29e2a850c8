"""What the user sees: widgets that read the session and call its intents."""
