"""Compiled: the kernels in C, of a few rows and of a decoder's step for one; see `library`."""
