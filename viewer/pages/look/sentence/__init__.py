"""The sentence: what is typed, what comes out, how it is decoded, and the steps."""
