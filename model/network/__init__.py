"""Network: an encoder-decoder Transformer, part by part."""
