"""Files: read and written so that nothing is lost, whatever is in them. No torch."""
