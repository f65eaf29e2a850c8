"""Room: memory in large pages for the matrices that each step of decoding reads.

A kernel that reads a matrix column by column touches a page of 4 KB for a few numbers at a time, and looks up
where it lies as often: in pages of 2 MB the same kernel read a third faster (AMD EPYC, 15 GB/s to 21). Where
the system does not give them, memory is as usual.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable
from weakref import WeakKeyDictionary

import torch
from torch import Tensor

from model.network.products.ways import Layout

PAGE = 1 << 21
"""Bytes of a large page on most systems."""

# A matrix begins where a line of a cache does.
_LINE = 64
_NUMBER = 4

# Where each room lies, from its first byte to behind its last; a room goes with the last matrix in it.
_rooms: WeakKeyDictionary[mmap.mmap, range] = WeakKeyDictionary()


class Room:
    """Place for matrices of float32, handed out one behind the other.

    Args:
        shapes: of all matrices that are to be put here. Less than a large page of them lies anywhere.
    """

    def __init__(self, shapes: Iterable[Iterable[int]]) -> None:
        count = sum(_room_for(tuple(shape)) for shape in shapes)
        self._all: Tensor | None = _large_pages(count) if count * _NUMBER >= PAGE else None
        self._at = 0

    @property
    def large(self) -> bool:
        """Whether it has large pages; else nothing is gained by moving here."""
        return self._all is not None

    def empty(self, shape: tuple[int, int], layout: Layout) -> Tensor:
        """A matrix [out, in] that holds anything."""
        rows, columns = shape
        strides = (columns, 1) if layout == "rows" else (1, rows)
        start, end = self._at, self._at + _room_for(shape)
        if self._all is None or end > len(self._all):
            return torch.empty_strided(shape, strides, dtype=torch.float32)
        self._at = end
        return self._all.as_strided(shape, strides, self._all.storage_offset() + start)

    def placed(self, weight: Tensor, layout: Layout) -> Tensor:
        """The same numbers here, in that layout; without gradients."""
        return self.empty((weight.shape[0], weight.shape[1]), layout).copy_(weight)


def lies_in_room(weight: Tensor) -> bool:
    """Whether it has been put into a room that has large pages."""
    return any(weight.data_ptr() in where for where in list(_rooms.values()))


def _room_for(shape: tuple[int, ...]) -> int:
    """Numbers from the start of one matrix to that of the next."""
    line = _LINE // _NUMBER
    return -(-shape[0] * shape[1] // line) * line


def _large_pages(count: int) -> Tensor | None:
    """So many numbers of float32; None where the system has no large pages for those who ask."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return None
    # Pages are whole, and may begin anywhere in what the system hands out.
    size = count * _NUMBER + PAGE
    try:
        # What is shared, as by default, has its own rules about large pages.
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        memory.madvise(mmap.MADV_HUGEPAGE)
    except (OSError, ValueError):  # no memory of that kind: a kernel without large pages says so
        return None
    with torch.inference_mode(False):
        every = torch.frombuffer(memory, dtype=torch.float32)
    first = every.data_ptr()
    _rooms[memory] = range(first, first + size)
    return every[(-first % PAGE) // _NUMBER :]
