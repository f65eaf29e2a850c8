"""Translator: whatever model a folder holds, opened, asked and scored."""
