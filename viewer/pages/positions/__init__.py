"""The Positions page: encodings, angles, distances, and decoding without them."""
