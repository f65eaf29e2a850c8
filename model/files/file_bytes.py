"""`FileBytes`: the bytes of an open file, read when they are asked for. No torch.

Not mapped into memory: where another program cuts a mapped file short, or its disk is pulled out, the
operating system ends the process that reads on. Reading says so instead.
"""

from __future__ import annotations

import contextlib
import io
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy.typing as npt

from model.errors import HeadscopeError
from model.files.files import StrPath, io_error, reading

_PIECE = 1 << 22
_SMALL = 1 << 18
"""Bytes of a file that is read at once and let go of: a session may have more traces than open files."""


class FileBytes:
    """An ordinary file, held open unless it is small; slices of it are bytes, safe to take in any thread.

    Args:
        damaged: makes the error for a file that is cut short while it is read.

    Raises:
        HeadscopeError: it is missing, a folder, not an ordinary file, or cannot be read.
    """

    def __init__(self, path: StrPath, damaged: Callable[[str], HeadscopeError]) -> None:
        self._path = path
        self._damaged = damaged
        self._lock = threading.Lock()
        self._file: io.BytesIO | io.FileIO
        with reading(path) as descriptor:
            self._size = os.fstat(descriptor).st_size
            if self._size <= _SMALL:
                self._file = io.BytesIO(io.FileIO(descriptor, "rb", closefd=False).read(self._size))
                return
            kept = os.dup(descriptor)
        weakref.finalize(self, os.close, kept)
        self._file = io.FileIO(kept, "rb", closefd=False)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice) -> bytes:
        start, stop, _ = part.indices(self._size)
        parts: list[bytes] = []
        with self._lock, self._reading(start):
            while start < stop:
                parts.append(self._file.read(stop - start))
                if not parts[-1]:
                    raise self._damaged("it is cut short")
                start += len(parts[-1])
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def read_into(self, start: int, target: memoryview) -> None:
        """Fill `target` with the bytes from `start` on.

        Raises:
            HeadscopeError: the file has become shorter, or cannot be read.
        """
        rest = target.cast("B")
        with self._lock, self._reading(start):
            while rest:
                count = self._file.readinto(rest[:_PIECE])
                if not count:
                    raise self._damaged("it is cut short")
                rest = rest[count:]

    def fill(self, start: int, array: npt.NDArray[Any]) -> None:
        """The same for the memory of a whole numpy array in C order."""
        if array.nbytes:
            self.read_into(start, memoryview(array.reshape(-1).view("u1").data))

    def pieces(self, start: int = 0, stop: int | None = None, size: int = _PIECE) -> Iterator[bytes]:
        """The bytes one after the other, `size` at a time."""
        stop = self._size if stop is None else stop
        for first in range(start, stop, size):
            yield self[first : min(stop, first + size)]

    @contextlib.contextmanager
    def _reading(self, start: int) -> Iterator[None]:
        try:
            self._file.seek(start)
            yield
        except OSError as error:
            raise io_error(self._path, error) from None
