"""Tour: what leads a person: first call-outs, then eight steps to the next word, each done by doing it."""
