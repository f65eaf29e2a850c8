"""The drawer's Sentences: a file of sentences, translated in the background."""
