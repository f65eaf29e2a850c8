"""Tour: what leads a person: call-outs of the first start, then eight steps to the next word, done by doing."""
