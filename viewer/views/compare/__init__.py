"""The drawer's Compare: two runs aligned by token, and their difference."""
