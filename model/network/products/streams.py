"""Streams: how many rows of a matrix the streamed kernel reads side by side, tried once on each machine.

With two, one processor reads as fast as it can; another reads a quarter faster with four. No sum depends on
it, so a larger model may bring the trial that a smaller one could not: of matrices that the caches hold
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

# So often each number is tried: they differ by less than a neighbour on the same memory takes.
_TRIES = 12


def settle_streams(matrices: Sequence[Tensor]) -> None:
    """Read as many rows side by side as is quicker here, if that is known or can be found out with these.

    Args:
        matrices: what a step of decoding reads. Only read.
    """
    if not streamed.has_streamed():
        return
    question = f"streams {torch.get_num_threads()}"
    some, size = _some(matrices)
    if not isinstance(recall(question), bool) and size < _LARGE:
        return
    read = [(torch.full((1, one.shape[1]), 0.5), streamed.as_matrix(one)) for one in some]
    multiply = streamed.multiply_streamed if streamed.has_threads() else streamed.multiply_alone

    def with_streams(count: int) -> None:
        streamed.take_streams(count)
        for x, matrix in read:
            multiply(x, matrix, None)

    with torch.inference_mode():
        more = is_quicker(question, lambda: with_streams(MORE), lambda: with_streams(FEW), 1.0, _TRIES)
    streamed.take_streams(MORE if more else FEW)


def _some(matrices: Sequence[Tensor]) -> tuple[list[Tensor], int]:
    """Those that lie row by row, as many as the trial needs, and their bytes."""
    found: dict[int, Tensor] = {}  # tied matrices are one
    size = 0
    for matrix in matrices:
        if size < _LARGE and matrix.is_contiguous() and matrix.data_ptr() not in found:
            found[matrix.data_ptr()] = matrix.detach()
            size += matrix.nbytes
    return list(found.values()), size
