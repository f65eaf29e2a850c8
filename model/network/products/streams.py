"""Streams: how the streamed kernel reads a matrix, tried once on each machine.

How many of its rows side by side: with two, one processor reads as fast as it can; another reads a quarter
faster with four. And whether past the caches, which then keep what else a step needs. No sum depends on
either, so a larger model may bring the trial that a smaller one could not: of matrices that the caches hold
nothing can be told.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from model.network.products import streamed
from model.network.products.remembered import recall
from model.network.products.trial import is_quicker

FEW, MORE = 2, 4

# Bytes that no processor's caches hold.
_LARGE = 96 << 20

# So often each is tried: they differ by less than a neighbour on the same memory takes.
_TRIES = 12

# What the products may take of the time past the caches: what a step does between them gains more.
_PAST = 1.03


def settled(matrices: Sequence[Tensor]) -> bool:
    """Read them as is quicker here, if that is known or can be found out with these.

    Args:
        matrices: what a step of decoding reads. Only read.

    Returns:
        Whether few rows are to read them past the caches.
    """
    if not streamed.has_streamed():
        return False
    threads = torch.get_num_threads()
    some, size = _some(matrices)
    large, side_by_side = size >= _LARGE, f"streams {threads}"
    if not large and not isinstance(recall(side_by_side), bool):
        return False
    rows = [torch.full((1, one.shape[1]), 0.5) for one in some]
    kept = [streamed.as_matrix(one) for one in some]
    passing = [streamed.past_caches(one) for one in kept]
    multiply = streamed.multiply_streamed if streamed.has_threads() else streamed.multiply_alone

    def read(matrices: Sequence[streamed.Matrix], streams: int) -> None:
        streamed.take_streams(streams)
        for x, matrix in zip(rows, matrices):
            multiply(x, matrix, None)

    with torch.inference_mode():
        past = large and is_quicker(
            f"past the caches {threads}", lambda: read(passing, FEW), lambda: read(kept, FEW), _PAST, _TRIES
        )
        found = passing if past else kept
        more = is_quicker(side_by_side, lambda: read(found, MORE), lambda: read(found, FEW), 1.0, _TRIES)
    streamed.take_streams(MORE if more else FEW)
    return past


def _some(matrices: Sequence[Tensor]) -> tuple[list[Tensor], int]:
    """Those that lie row by row, as many as the trial needs, and their bytes."""
    found: dict[int, Tensor] = {}  # tied matrices are one
    size = 0
    for matrix in matrices:
        if size < _LARGE and matrix.is_contiguous() and matrix.data_ptr() not in found:
            found[matrix.data_ptr()] = matrix.detach()
            size += matrix.nbytes
    return list(found.values()), size
