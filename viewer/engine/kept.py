"""What computed recent runs, kept so that branches and looks at a search need not compute it again."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

from model.config import Architecture

T = TypeVar("T")

_FLOAT = 4
_LEAST_ROOM = 64  # steps for which a decoding makes room at first


class Kept(Generic[T]):
    """Things by name, of which the least recently used go when all together are too large.

    Args:
        most: bytes that they may take together.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._things: OrderedDict[str, tuple[T, int]] = OrderedDict()

    @property
    def size(self) -> int:
        """Bytes of all together, as they were said to be."""
        return sum(size for _, size in self._things.values())

    def put(self, name: str, thing: T, size: int) -> None:
        """Keep a thing instead of what had its name; one that is too large by itself is not kept."""
        self._things[name] = (thing, size)
        self._things.move_to_end(name)
        while self.size > self._most:
            self._things.popitem(last=False)

    def get(self, name: str) -> T | None:
        """The thing of that name, None if it is not kept; it counts as used."""
        if name not in self._things:
            return None
        self._things.move_to_end(name)
        return self._things[name][0]


def decoding_bytes(architecture: Architecture, source: int, steps: int) -> int:
    """About what a `model.decoding.Decoding` of so many source tokens and steps takes.

    Keys and values of every decoder layer, of the target (room is made by doubling) and of the source; all
    patterns; the outputs.
    """
    a = architecture
    room = _LEAST_ROOM
    while room < steps:
        room *= 2
    cache = 2 * a.decoder_layers * (room + source) * a.d_model
    patterns = a.n_heads * (a.encoder_layers * source * source + a.decoder_layers * room * (room + source))
    return _FLOAT * (cache + patterns + steps * a.d_model)


def search_bytes(architecture: Architecture, source: int, steps: int, beams: int) -> int:
    """About what the patterns of a beam search take: each step's rows of every beam."""
    a = architecture
    rows = beams * a.decoder_layers * (steps * steps // 2 + steps * source)
    return _FLOAT * a.n_heads * (a.encoder_layers * source * source + rows)
