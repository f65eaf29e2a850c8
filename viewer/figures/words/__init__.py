"""Words: the sentence, shaded by attention."""
