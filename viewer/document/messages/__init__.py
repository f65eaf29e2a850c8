"""Messages: what views ask of services, what services ask of the engine, and what comes back."""
