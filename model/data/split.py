"""Split: pairs set apart for training, development and test so that no source sentence is in two parts."""

from __future__ import annotations

import hashlib
from array import array

import numpy as np
from numpy.typing import NDArray

from model.config import Split, SplitName
from model.data.filters import text_key

TRAIN, DEV, TEST, ASIDE = range(4)  # `ASIDE`: in no part, since its source is in a stricter one
HOLDOUT_MOST = 1000
HOLDOUT_SHARE = 50  # one source in so many is held out


def tatoeba_hash_part(source: str) -> Split:
    """The part that every pair with this source sentence belongs to: 1 % test, 1 % dev, else train.

    It depends on nothing but the source, so no test sentence is ever seen in training, whatever
    else the file holds.
    """
    bucket = int(hashlib.sha1(source.encode("utf-8")).hexdigest()[:8], 16) % 100
    if bucket == 0:
        return "test"
    return "dev" if bucket == 1 else "train"


class Splitter:
    """Decides the part of each pair from all pairs, keeping 8 or 16 bytes of each.

    `tatoeba-hash` goes by the hash of column 1 (1 % test, 1 % dev); `holdout` takes 2 % of the source
    sentences for dev, at most a thousand and none of fewer than 50, those with the lowest SHA-1.
    """

    def __init__(self, split: SplitName, *, swap: bool) -> None:
        """Take the name of the way to split, and whether column 2 is the source."""
        self._split = split
        self._swap = swap
        self._orders = array("Q")  # of column 1, or of the source: the beginning of its SHA-1
        self._sources = array("Q")  # what tells swapped sources apart

    def add(self, first: str, second: str) -> None:
        """Take note of the next pair's columns."""
        crossing = self._split == "tatoeba-hash" and self._swap
        text = second if self._swap and not crossing else first
        digest = hashlib.sha1(text.encode("utf-8")).digest()
        self._orders.append(int.from_bytes(digest[:8], "big"))
        if crossing:
            self._sources.append(text_key(second))

    def parts(self) -> NDArray[np.uint8]:
        """[N] `TRAIN`, `DEV`, `TEST` or `ASIDE` of each pair that was added."""
        orders = np.array(self._orders, dtype=np.uint64)
        if self._split == "holdout":
            distinct = _distinct(orders)
            count = min(HOLDOUT_MOST, len(distinct) // HOLDOUT_SHARE)
            parts: NDArray[np.uint8] = np.isin(orders, distinct[:count]).astype(np.uint8) * np.uint8(DEV)
            return parts
        buckets = (orders >> np.uint64(32)) % np.uint64(100)
        parts = np.where(buckets == 0, TEST, np.where(buckets == 1, DEV, TRAIN)).astype(np.uint8)
        return self._strictest(parts) if self._swap else parts

    def sources(self) -> int:
        """Number of distinct sources."""
        keys = self._sources if self._split == "tatoeba-hash" and self._swap else self._orders
        return len(_distinct(np.array(keys, dtype=np.uint64)))

    def _strictest(self, parts: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Swapped, the split goes by the target: a source may be in several parts; the strictest has it."""
        _, which = np.unique(np.array(self._sources, dtype=np.uint64), return_inverse=True)
        strictest = np.zeros(which.max(initial=-1) + 1, dtype=np.uint8)
        np.maximum.at(strictest, which, parts)
        return np.where(parts == strictest[which], parts, np.uint8(ASIDE))


def _distinct(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each once, in order.

    `numpy.unique` goes by a table of hashes, which of half a million takes 50 times as long (numpy 2.4), and
    no other thread can work meanwhile.
    """
    ordered = np.sort(keys)
    new = np.ones(len(ordered), dtype=np.bool_)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]
