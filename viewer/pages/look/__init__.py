"""The Look page: sentence, heads, maps, inspector and drawer."""
