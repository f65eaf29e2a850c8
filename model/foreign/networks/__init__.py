"""Networks of other models: their architectures behind what decoding needs."""
