"""Reading: how long the memory takes to give the weights that a step of decoding reads, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable

import torch
from torch import Tensor

from model.network.linear import linear
from model.network.transformer import Transformer


class ReadingSide:
    """Passes over the matrices of a step by sums, by one sum of as many bytes, and by the products alone.

    Attributes:
        bytes: of the weights that a step reads.
    """

    def __init__(self, network: Transformer) -> None:
        whole = network.decoding_matrices()
        # Of cross-attention the part that makes queries.
        queries = [layer.multihead_attn._query_part[0] for layer in network.decoder.layers]  # type: ignore[union-attr, index]
        self._matrices: list[Tensor] = [matrix.detach() for matrix in (*whole, *queries)]
        self._products = [*whole, *queries]
        self._rows = {matrix.shape[1]: torch.randn(1, matrix.shape[1]) for matrix in self._matrices}
        self.bytes = sum(matrix.nbytes for matrix in self._matrices)
        self._one = torch.randn(self.bytes // 4)

    @torch.inference_mode()
    def __call__(self) -> float:
        """Milliseconds of the fastest."""
        readers: tuple[Callable[[], object], ...] = (
            lambda: [matrix.sum() for matrix in self._matrices],
            lambda: self._one.sum(),
            lambda: [linear(self._rows[matrix.shape[1]], matrix, None) for matrix in self._products],
        )
        return min(_best(reader) for reader in readers)


def _best(reader: Callable[[], object]) -> float:
    figures = []
    for _ in range(10):
        began = time.perf_counter()
        reader()
        figures.append(1000 * (time.perf_counter() - began))
    return min(figures)
