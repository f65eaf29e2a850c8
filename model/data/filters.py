"""Filters: which pairs are left out, alike for a survey of a corpus and for training on it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from model.data.pairs.pair_files import Pair
from model.data.pairs.survey import Problem


@dataclass(eq=False)
class PairFilter:
    """Finds what is wrong with pairs, batch after batch of one corpus.

    Attributes:
        max_characters: pairs with a longer side are `long`; 0 = none is.
        max_ratio: pairs whose longer side has more than that many times the characters of the shorter are
            `ratio`; 0 = none is.
        drop_duplicates: whether a pair that occurred before is left out; it is found in any case.
    """

    max_characters: int = 0
    max_ratio: float = 0.0
    drop_duplicates: bool = False
    _seen: KeySet = field(init=False, default_factory=lambda: KeySet())

    def problems(self, pairs: Sequence[Pair]) -> list[Problem | None]:
        """The first problem of each pair: `empty` (a blank side), `long`, `ratio` or `duplicate`."""
        found = [self._alone(*pair) for pair in pairs]
        good = [index for index, problem in enumerate(found) if problem is None]
        keys = [text_key(f"{pairs[i][0]}\udcff{pairs[i][1]}") for i in good]
        for index, seen in zip(good, self._seen.add(np.array(keys, dtype=np.uint64))):
            if seen:
                found[index] = "duplicate"
        return found

    def leaves_out(self, problem: Problem | None) -> bool:
        """Whether a pair with that problem is not used."""
        return problem is not None and (problem != "duplicate" or self.drop_duplicates)

    def _alone(self, source: str, target: str) -> Problem | None:
        if not source.strip() or not target.strip():
            return "empty"
        shorter, longer = sorted((len(source), len(target)))
        if 0 < self.max_characters < longer:
            return "long"
        return "ratio" if 0 < self.max_ratio * shorter < longer else None


def text_key(text: str) -> int:
    """64 bits that stand for a text; the chance that two of two million share them is 1 in 9 million.

    The same in every process, so that a run that is resumed leaves out the same pairs.
    """
    digest = hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


class KeySet:
    """A growing set of 64-bit keys in sorted arrays: a tenth of what a Python set takes."""

    def __init__(self) -> None:
        self._sorted: list[NDArray[np.uint64]] = []

    def add(self, keys: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Add keys; [N] whether each was there before, or earlier among `keys`."""
        seen = np.ones(len(keys), dtype=np.bool_)
        new, first = np.unique(keys, return_index=True)
        known = np.zeros(len(new), dtype=np.bool_)
        for part in self._sorted:
            places = np.minimum(np.searchsorted(part, new), len(part) - 1)
            known |= part[places] == new
        seen[first[~known]] = False
        new = new[~known]
        # As in a merge sort: only parts of about the same size are merged, so each key is moved seldom.
        while self._sorted and len(self._sorted[-1]) <= 2 * len(new):
            new = np.sort(np.concatenate((self._sorted.pop(), new)))
        if len(new):
            self._sorted.append(new)
        return seen
