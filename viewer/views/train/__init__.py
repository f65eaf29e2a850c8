"""The Train page: the form of a run, and what the run shows while it goes on."""
