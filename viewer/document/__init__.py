"""The document: runs, selection, session, edits, history, and what a view may ask for. QtCore at most."""
