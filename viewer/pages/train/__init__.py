"""The Train page: the form, what is learned from, and the run."""
