"""Decoding: a translation token by token, greedy, sampled, forced or by a beam."""
