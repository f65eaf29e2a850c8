"""`LruCache`: a least-recently-used cache, bounded by the bytes of what it holds. No torch."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class LruCache(Generic[T]):
    """Things by name, of which the least recently used go when all together are too large.

    Args:
        most: bytes that they may take together.
        alone: bytes up to which the newest stays, by itself if it is larger than `most`; None: `most`.
    """

    def __init__(self, most: int, alone: int | None = None) -> None:
        self._most, self._alone = most, most if alone is None else alone
        self._things: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()

    @property
    def size(self) -> int:
        """Bytes of all together, as they were said to be."""
        return sum(size for _, size in self._things.values())

    def put(self, name: Hashable, thing: T, size: int) -> None:
        """Keep a thing instead of what had its name; one that is too large by itself is not kept."""
        self._things.pop(name, None)
        if size > self._alone:
            return
        self._things[name] = (thing, size)
        while self.size > self._most and len(self._things) > 1:
            self._things.popitem(last=False)

    def get(self, name: Hashable) -> T | None:
        """The thing of that name, None if it is not kept; it counts as used."""
        if name not in self._things:
            return None
        self._things.move_to_end(name)
        return self._things[name][0]
