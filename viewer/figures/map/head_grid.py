"""HeadGrid: all heads of a kind, read one at a time, with the tokens that the view leaves out left out."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Generator, Iterator, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from model.trace.trace import AttentionKind, Patterns, may_be_damaged, row_blocks, rows_of
from viewer.figures.canvas.matrix import Mask, Matrix
from viewer.figures.map.long_map import LONG, Block, LongMap, Picture, pooled_picture

Sums = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

_MOST_LONG = 12  # long maps of which pictures are kept
_MOST_AT_ONCE = 2 * LONG  # cells of several heads, up to which what follows from them is not waited for
_MEANS = 2  # that had to be waited for, and are kept


class HeadGrid:
    """The weights of a kind as pictures show them; none are kept in memory.

    Attributes:
        layers, heads: how many the kind has.
        rows, columns: size of every map.
        complete: whether no token is left out.
        long, large: whether one map, or all of them, take longer to read than a person should wait.
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
        self.long = self.rows * self.columns > LONG
        self.large = self.layers * self.heads * self.rows * self.columns > LONG
        self._places = [
            np.arange(count, dtype=np.int32) if kept is None else kept.astype(np.int32)
            for count, kept in ((queries, rows), (keys, columns))
        ]
        self._blocked = np.isin(self._places[1], np.asarray(blocked, np.int32))
        self._may_forbid = causal or len(blocked) > 0
        # One array for all heads, so that what is made of it can be kept; of long maps none is.
        self._forbidden = None if self.long else self._forbidden_in(0, self.rows)
        self._long_maps: OrderedDict[tuple[int, int | None], LongMap] = OrderedDict()
        self._lock = threading.Lock()
        self._means: OrderedDict[int, Matrix] = OrderedDict()
        self._read_sums: dict[tuple[int, int | None], tuple[Sums, Sums]] = {}

    def matrix(self, layer: int, head: int | None) -> Matrix:
        """One head's weights, or (None) the mean over the heads in float64; float32 [query, key]."""
        return self.map(layer, head)[0]

    def map(self, layer: int, head: int | None) -> tuple[Matrix, Mask | None]:
        """`matrix`, and True where attention was not allowed (None where it was allowed everywhere).

        A number that is not zero is never masked, whatever the model should have done.
        """
        return self._cut(self._full_rows(layer, head))

    def long_map(self, layer: int, head: int | None) -> LongMap:
        """`map` of a long map, of which nothing is read yet; the last few are kept with their pictures."""
        with self._lock:
            found = self._long_maps.pop((layer, head), None)
            if found is None:
                read = partial(self.block, layer, head)
                found = LongMap((self.rows, self.columns), read, partial(self._look_at, layer, head))
                for last in self._long_maps.values():
                    found.drawn = last.drawn  # as large as the last one was
            while len(self._long_maps) >= _MOST_LONG:
                self._long_maps.popitem(last=False)
            self._long_maps[layer, head] = found
        return found

    def needs_reading(self, layer: int, head: int | None) -> bool:
        """Whether a map that is not long is a mean that takes long to read, and was not read lately."""
        return head is None and self.takes_long(self.heads) and layer not in self._means

    def takes_long(self, maps: int) -> bool:
        """Whether to read so many maps takes longer than a person should wait."""
        return maps * self.rows * self.columns > _MOST_AT_ONCE

    def read_mean(self, layer: int) -> Iterator[None]:
        """Read the mean over a layer's heads, to be at hand for `map`; may be left at every `yield`."""
        total: Sums | None = None
        for head in range(self.heads):
            weights = self._patterns.pattern(self._kind, layer, head)
            total = weights.astype(np.float64) if total is None else np.add(total, weights, out=total)
            yield
        assert total is not None
        with self._lock:
            while len(self._means) >= _MEANS:
                self._means.popitem(last=False)
            self._means[layer] = (total / self.heads).astype(np.float32)

    def _look_at(self, layer: int, head: int | None) -> None:
        """Know whether the rows of a head are sound; some may not be shown, and not have been read."""
        if may_be_damaged(self._patterns):
            for each in range(self.heads) if head is None else (head,):
                self._patterns.unsound(self._kind, layer, each)

    def pooled(
        self, layer: int, head: int, rows: int, columns: int, last: int | None = None
    ) -> Generator[None, None, Picture]:
        """`map` on just so many rows and columns, a few rows at a time; see `LongMap`.

        Args:
            last: how many rows of it, from the top; None for all.
        """
        window = (0, self.rows if last is None else last, 0, self.columns)
        return pooled_picture(partial(self.block, layer, head), self.columns, window, rows, columns)

    def block(self, layer: int, head: int | None, first: int, last: int) -> Block:
        """`map` of the rows `first` to `last` (exclusive) alone; no others are read where that can be."""
        if not self.rows:
            return np.zeros((0, self.columns), np.float32), None
        queries = self._places[0]
        low, high = int(queries[first]), int(queries[last - 1]) + 1
        read = rows_of(self._patterns, self._kind, layer, head, low, high)
        rows = read if high - low == last - first else read[queries[first:last] - low]
        if not self.complete:
            self._add_sums(layer, head, first, rows)
        return self._cut(rows, first)

    def _add_sums(self, layer: int, head: int | None, first: int, rows: Matrix) -> None:
        """Sums of rows that were read, with all of their columns, starting with the one shown at `first`."""
        unknown = np.full(self.rows, np.nan), np.full(self.rows, np.nan)
        full, kept = self._read_sums.setdefault((layer, head), unknown)
        part = slice(first, first + len(rows))
        full[part] = rows.sum(axis=1, dtype=np.float64)
        kept[part] = full[part] - rows[:, self._left_out].sum(axis=1, dtype=np.float64)

    def cut(self, full: Matrix) -> tuple[Matrix, Mask | None]:
        """`map` of numbers [query, key] that follow from the weights alone, such as a mean of many heads."""
        return self._cut(self.keep_rows(full))

    def long_map_of(self, full: Matrix) -> tuple[LongMap, tuple[Sums, Sums] | None]:
        """The same of a long map; and `row_sums` of the numbers, None where no token is left out.

        The sums are worked out row by row with the map: they are there once it was scanned.
        """
        sums = None if self.complete else (np.zeros(self.rows), np.zeros(self.rows))

        def read(first: int, last: int) -> Block:
            rows = full[self._places[0][first:last]]
            block = self._cut(rows, first)
            for known, of in zip(sums or (), (rows, block[0])):
                known[first:last] = of.sum(axis=1, dtype=np.float64)
            return block

        return LongMap((self.rows, self.columns), read), sums

    def keep_rows(self, full: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The rows that are shown of any numbers [query, key]."""
        return full if self._kept_rows is None else full[self._kept_rows]

    def keep(self, full: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What is shown of any numbers [query, key]."""
        rows = self.keep_rows(full)
        return rows if self._kept_columns is None else rows[:, self._kept_columns]

    def _forbidden_in(self, first: int, last: int) -> Mask | None:
        """True where a row shown may not read a column shown; None where every key may be read."""
        if not self._may_forbid:
            return None
        query, key = self._places
        if not self.causal:
            return np.broadcast_to(self._blocked, (last - first, len(key)))
        ahead: Mask = key[None, :] > query[first:last, None]
        return ahead | self._blocked if self._blocked.any() else ahead

    def _cut(self, rows: Matrix, first: int = 0) -> tuple[Matrix, Mask | None]:
        """Of rows with all their columns, starting with the one shown at `first`."""
        matrix = rows if self._kept_columns is None else rows[:, self._kept_columns]
        forbidden = self._forbidden
        if self.long or len(rows) < self.rows:
            forbidden = self._forbidden_in(first, first + len(rows))
        masked: Mask | None = None
        if forbidden is not None:
            masked = forbidden & (matrix == 0)
            if forbidden is self._forbidden and np.array_equal(masked, forbidden):
                masked = forbidden
        if masked is not None and not masked.any():
            masked = None
        if self._weights:
            empty: Mask = rows.max(axis=1, initial=0) == 0  # no weight is negative
            if empty.any():
                wholly = np.broadcast_to(empty[:, None], matrix.shape)
                masked = wholly if masked is None else masked | wholly
        return matrix, masked

    def row_sums(self, layer: int, head: int | None) -> tuple[Sums, Sums]:
        """The weight in each row, and how much of it lies on kept columns; float64 [query]."""
        if not self.complete and self.large:
            return self._block_sums(layer, head)
        weights = self._weights_of(layer, head)
        full = weights.sum(axis=1, dtype=np.float64)
        kept = full
        if self._kept_columns is not None:  # those left out are few
            kept = full - weights[:, self._left_out].sum(axis=1, dtype=np.float64)
        return self.keep_rows(full), self.keep_rows(kept)

    def _block_sums(self, layer: int, head: int | None) -> tuple[Sums, Sums]:
        known = self._read_sums.get((layer, head))
        if known is None or bool(np.isnan(known[0]).any()):
            for first, last in row_blocks(self.rows, self.columns):
                self.block(layer, head, first, last)
            known = self._read_sums[layer, head]
        return known

    @property
    def summed(self) -> bool:
        """Whether the sums of every head's rows are known, because all was read."""
        places = ((layer, head) for layer in range(self.layers) for head in range(self.heads))
        known = (self._read_sums.get(place) for place in places)
        return self.complete or all(sums is not None and not np.isnan(sums[0]).any() for sums in known)

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
        known = self._means.get(layer)
        if known is not None:
            return known
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
