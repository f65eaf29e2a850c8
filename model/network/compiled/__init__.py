"""Compiled: kernels in C, for a few rows, a decoder's step for one, the best of a row; see `library`."""
