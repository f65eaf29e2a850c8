"""`PairList`: millions of sentence pairs in one block of UTF-8 instead of as many Python objects."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from model.data.pairs.pair_files import Pair


class PairStore:
    """Where pairs are collected: their texts lie end to end, column 1 and column 2 in turn."""

    def __init__(self, pairs: Iterable[Pair] = ()) -> None:
        self.text = bytearray()
        self.offsets = array("q", [0])
        for pair in pairs:
            self.append(pair)

    def __len__(self) -> int:
        return len(self.offsets) // 2

    def append(self, pair: Pair) -> None:
        """Add a pair; its texts must have a UTF-8 form."""
        for text in pair:
            self.text += text.encode("utf-8")
            self.offsets.append(len(self.text))

    def pair(self, index: int) -> Pair:
        """The two columns."""
        begin, middle, end = self.offsets[2 * index : 2 * index + 3]
        return self.text[begin:middle].decode("utf-8"), self.text[middle:end].decode("utf-8")


class PairList(Sequence[Pair]):
    """Some pairs of a store in an order of their own, made into strings when they are asked for.

    Attributes:
        store: where the texts are.
        places: [N] which pairs of the store.
        swapped: whether column 2 is the source.
    """

    def __init__(
        self, store: PairStore, places: NDArray[np.int64] | None = None, *, swapped: bool = False
    ) -> None:
        self.store = store
        self.places = np.arange(len(store), dtype=np.int64) if places is None else places
        self.swapped = swapped

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, index: int) -> Pair: ...

    @overload
    def __getitem__(self, index: slice) -> PairList: ...

    def __getitem__(self, index: int | slice) -> Pair | PairList:
        if isinstance(index, slice):
            return PairList(self.store, self.places[index], swapped=self.swapped)
        return self._pair(int(self.places[index]))

    def __iter__(self) -> Iterator[Pair]:
        for begin in range(0, len(self.places), 1024):
            for place in self.places[begin : begin + 1024].tolist():
                yield self._pair(place)

    def __repr__(self) -> str:
        return f"PairList({len(self)} pairs)"

    @property
    def size(self) -> int:
        """Bytes of UTF-8 in all texts."""
        offsets = np.array(self.store.offsets, dtype=np.int64)
        return int((offsets[2 * self.places + 2] - offsets[2 * self.places]).sum())

    def _pair(self, place: int) -> Pair:
        first, second = self.store.pair(place)
        return (second, first) if self.swapped else (first, second)
