"""Pairs: sentence pairs read from files of any form and encoding."""
