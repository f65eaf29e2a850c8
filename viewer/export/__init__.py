"""Exports: pictures and data as files or for the clipboard, without dialogs."""
