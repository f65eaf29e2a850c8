"""HeadGrid: all heads of a kind, read one at a time, with the tokens that the view leaves out left out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from model.trace.trace import AttentionKind, Patterns
from viewer.figures.canvas.matrix import Mask, Matrix

Sums = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]


class HeadGrid:
    """The weights of a kind as pictures show them; none are kept in memory.

    Attributes:
        layers, heads: how many the kind has.
        rows, columns: size of every map.
        complete: whether no token is left out.
        causal: whether a query cannot read the keys after it.
    """

    def __init__(
        self,
        patterns: Patterns,
        kind: AttentionKind,
        *,
        rows: Indices | None = None,
        columns: Indices | None = None,
        causal: bool = False,
        weights: bool = True,
        blocked: Sequence[int] = (),
    ) -> None:
        """Takes what to keep.

        Args:
            rows, columns: queries and keys to keep, None for all.
            causal: a query cannot read the keys after it.
            weights: the numbers are attention weights, so that a row of zeros was masked as a whole.
            blocked: keys that nobody was allowed to read.
        """
        self.layers, self.heads, queries, keys = patterns.shape(kind) or (0, 0, 0, 0)
        self.rows = queries if rows is None else len(rows)
        self.columns = keys if columns is None else len(columns)
        self.complete = rows is None and columns is None
        self._patterns, self._kind, self._weights = patterns, kind, weights
        # Without the first or the last token what is left is a view of the numbers, not a copy.
        self._kept_rows, self._kept_columns = _as_slice(rows), _as_slice(columns)
        out = np.ones(keys, np.bool_)
        out[slice(None) if columns is None else columns] = False
        self._left_out = np.flatnonzero(out)
        self.causal = causal
        self._forbidden: Mask | None = None
        if causal or len(blocked):
            query = np.arange(queries) if rows is None else rows
            key = np.arange(keys) if columns is None else columns
            forbidden = np.tile(np.isin(key, np.asarray(blocked, np.int64)), (len(query), 1))
            self._forbidden = forbidden | (key[None, :] > query[:, None]) if causal else forbidden

    def matrix(self, layer: int, head: int | None) -> Matrix:
        """One head's weights, or (None) the mean over the heads in float64; float32 [query, key]."""
        return self.map(layer, head)[0]

    def map(self, layer: int, head: int | None) -> tuple[Matrix, Mask | None]:
        """`matrix`, and True where attention was not allowed (None where it was allowed everywhere).

        A number that is not zero is never masked, whatever the model should have done.
        """
        return self._cut(self._full_rows(layer, head))

    def cut(self, full: Matrix) -> tuple[Matrix, Mask | None]:
        """`map` of numbers [query, key] that follow from the weights alone, such as a mean of many heads."""
        return self._cut(self.keep_rows(full))

    def keep_rows(self, full: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The rows that are shown of any numbers [query, key]."""
        return full if self._kept_rows is None else full[self._kept_rows]

    def keep(self, full: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What is shown of any numbers [query, key]."""
        rows = self.keep_rows(full)
        return rows if self._kept_columns is None else rows[:, self._kept_columns]

    def _cut(self, rows: Matrix) -> tuple[Matrix, Mask | None]:
        matrix = rows if self._kept_columns is None else rows[:, self._kept_columns]
        masked = None if self._forbidden is None else self._forbidden & (matrix == 0)
        if masked is not None and self._forbidden is not None and np.array_equal(masked, self._forbidden):
            masked = self._forbidden  # one array for all heads, so that what is made of it can be kept
        if masked is not None and not masked.any():
            masked = None
        if self._weights:
            empty: Mask = np.logical_not(rows.any(axis=1))
            if empty.any():
                wholly = np.broadcast_to(empty[:, None], matrix.shape)
                masked = wholly if masked is None else masked | wholly
        return matrix, masked

    def row_sums(self, layer: int, head: int | None) -> tuple[Sums, Sums]:
        """The weight in each row, and how much of it lies on kept columns; float64 [query]."""
        weights = self._weights_of(layer, head)
        full = weights.sum(axis=1, dtype=np.float64)
        kept = full
        if self._kept_columns is not None:  # those left out are few
            kept = full - weights[:, self._left_out].sum(axis=1, dtype=np.float64)
        return self.keep_rows(full), self.keep_rows(kept)

    @cached_property
    def all_row_sums(self) -> tuple[Sums, Sums]:
        """`row_sums` added up over every head."""
        full, kept = np.zeros(self.rows), np.zeros(self.rows)
        for layer in range(self.layers):
            for head in range(self.heads):
                sums = self.row_sums(layer, head)
                full += sums[0]
                kept += sums[1]
        return full, kept

    @cached_property
    def levels(self) -> tuple[float, float]:
        """The scale of all maps: (0, 1) for weights; otherwise from 0, or symmetrical about it."""
        if self._weights:
            return 0.0, 1.0
        lowest, highest = 0.0, 0.0
        for layer in range(self.layers):
            values = self._patterns.layer(self._kind, layer)
            if values.size:
                lowest, highest = min(lowest, float(values.min())), max(highest, float(values.max()))
        if lowest < 0:
            most = max(-lowest, highest)
            return -most, most
        return (0.0, highest) if highest > 1 else (0.0, 1.0)

    def _full_rows(self, layer: int, head: int | None) -> Matrix:
        """Kept rows with all their columns."""
        full = self._weights_of(layer, head)
        return full if self._kept_rows is None else full[self._kept_rows]

    def _weights_of(self, layer: int, head: int | None) -> Matrix:
        """All rows with all their columns."""
        return self._mean(layer) if head is None else self._patterns.pattern(self._kind, layer, head)

    def _mean(self, layer: int) -> Matrix:
        heads = self._patterns.layer(self._kind, layer)
        total = np.zeros(heads.shape[1:], np.float64)
        for weights in heads:
            total += weights
        total /= len(heads)
        return total.astype(np.float32)


def _as_slice(indices: Indices | None) -> Indices | slice | None:
    """Ascending indices as a slice where none is missing between them."""
    if indices is None or not len(indices) or int(indices[-1]) - int(indices[0]) + 1 != len(indices):
        return indices
    return slice(int(indices[0]), int(indices[-1]) + 1)
