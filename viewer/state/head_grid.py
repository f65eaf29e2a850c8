"""All heads of a family, read one at a time, with the tokens that the view leaves out left out."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from model.trace import AttentionKind, Patterns

Matrix = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int64]


class HeadGrid:
    """The weights of a family as the pictures show them; nothing is kept in memory.

    Attributes:
        layers, heads: size of the family.
        rows, columns: size of every map.
    """

    def __init__(
        self, patterns: Patterns, kind: AttentionKind, rows: Indices | None, columns: Indices | None
    ) -> None:
        """Takes the queries and keys to keep; None keeps all."""
        shape = patterns.shape(kind)
        self.layers, self.heads, queries, keys = shape or (0, 0, 0, 0)
        self.rows = queries if rows is None else len(rows)
        self.columns = keys if columns is None else len(columns)
        self._patterns, self._kind = patterns, kind
        self._kept_rows, self._kept_columns = rows, columns

    @property
    def complete(self) -> bool:
        """Whether nothing is left out."""
        return self._kept_rows is None and self._kept_columns is None

    def matrix(self, layer: int, head: int) -> Matrix:
        """One head's weights, float32 [query, key]."""
        return self._kept(self._patterns.pattern(self._kind, layer, head))

    def mean(self, layer: int) -> Matrix:
        """The mean over a layer's heads, computed in float64, as float32 [query, key]."""
        heads = self._patterns.layer(self._kind, layer)
        total = np.zeros(heads.shape[1:], np.float64)
        for weights in heads:
            total += weights
        total /= max(1, len(heads))
        return self._kept(total.astype(np.float32))

    def row_sums(self, layer: int, head: int | None) -> tuple[Matrix, Matrix]:
        """Weight of each kept row, and how much of it lies on kept columns; float64 [query]."""
        if head is None:
            heads = range(self.heads)
            sums = [self.row_sums(layer, each) for each in heads]
            return sum(pair[0] for pair in sums) / self.heads, sum(pair[1] for pair in sums) / self.heads
        full = self._patterns.pattern(self._kind, layer, head)
        if self._kept_rows is not None:
            full = full[self._kept_rows]
        kept = full if self._kept_columns is None else full[:, self._kept_columns]
        return full.sum(axis=1, dtype=np.float64), kept.sum(axis=1, dtype=np.float64)

    @cached_property
    def all_row_sums(self) -> tuple[Matrix, Matrix]:
        """`row_sums` added up over every head."""
        full, kept = np.zeros(self.rows), np.zeros(self.rows)
        for layer in range(self.layers):
            for head in range(self.heads):
                one_full, one_kept = self.row_sums(layer, head)
                full += one_full
                kept += one_kept
        return full, kept

    def _kept(self, weights: Matrix) -> Matrix:
        if self._kept_rows is not None:
            weights = weights[self._kept_rows]
        if self._kept_columns is not None:
            weights = weights[:, self._kept_columns]
        return weights
