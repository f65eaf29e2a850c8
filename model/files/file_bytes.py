"""`FileBytes`: the bytes of an open file, read when they are asked for. No torch.

Not mapped into memory: where another program cuts a mapped file short, or its disk is pulled out, the
operating system ends the process that reads on. Reading says so instead.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import threading
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy.typing as npt

from model.errors import HeadscopeError
from model.files.files import StrPath, io_error, reading

_PIECE = 1 << 22
_AT_A_PLACE = hasattr(os, "preadv")
_SHORT = "it is cut short"
_REPLACED = "another file took its place after it was opened"
_SMALL = 1 << 18
"""Bytes of a file that is read at once and let go of: a session may have more traces than open files."""


MOST_OPEN = 32
"""Files held open at a time: a session may have more traces, and systems allow as few as 256."""


class _OpenFiles:
    """The files that nobody reads just now, open still; of too many the least recently used is closed.

    A file is taken out while it is read, so that none is closed under its reader.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._files: OrderedDict[int, io.FileIO] = OrderedDict()
        self._dropped: deque[int] = deque()

    def take(self, key: int) -> io.FileIO | None:
        """The file, which is the caller's from now on; None when it has been closed."""
        with self._lock:
            return self._files.pop(key, None)

    def give(self, key: int, file: io.FileIO) -> None:
        """Keep a file for the next reader."""
        with self._lock:
            self._files[key] = file
            over = [self._files.popitem(last=False)[1] for _ in range(len(self._files) - self._most)]
            over += self._forgotten()
        for each in over:
            each.close()

    def drop(self, key: int) -> None:
        """Nobody will ask for it again."""
        # Called by the collector, which may run while this very thread holds the lock.
        self._dropped.append(key)
        if self._lock.acquire(blocking=False):
            try:
                over = self._forgotten()
            finally:
                self._lock.release()
            for each in over:
                each.close()

    def _forgotten(self) -> list[io.FileIO]:
        keys = [self._dropped.popleft() for _ in range(len(self._dropped))]
        return [self._files.pop(key) for key in keys if key in self._files]


_open_files = _OpenFiles(MOST_OPEN)
_keys = itertools.count()


class FileBytes:
    """An ordinary file; slices of it are bytes, safe to take in any thread.

    A small one is read at once. Of the others the last few that were read are held open; one that was closed
    meanwhile is opened again, if it is still the same file. Where the system can read at a place, threads do
    not wait for each other: one that reads a whole map would hold up who wants a cell of it.

    Args:
        damaged: makes the error for a file that is cut short while it is read, or was replaced.

    Raises:
        HeadscopeError: it is missing, a folder, not an ordinary file, or cannot be read.
    """

    def __init__(self, path: StrPath, damaged: Callable[[str], HeadscopeError]) -> None:
        self._path = os.path.abspath(path)  # the working folder may be another when it is opened again
        self._shown = path
        self._damaged = damaged
        self._lock = threading.Lock()
        self._key = next(_keys)
        self._memory: bytes | None = None
        self._file: io.FileIO | None = None  # while somebody reads
        self._readers = 0
        with reading(path) as descriptor:
            status = os.fstat(descriptor)
            self._size, self._stamp = status.st_size, _stamp(status)
            if self._size <= _SMALL:
                self._memory = io.FileIO(descriptor, "rb", closefd=False).read(self._size)
                return
            kept = io.FileIO(os.dup(descriptor), "rb")
        weakref.finalize(self, _open_files.drop, self._key)
        _open_files.give(self._key, kept)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice) -> bytes:
        start, stop, _ = part.indices(self._size)
        if start >= stop:
            return b""
        if self._memory is not None:
            return self._whole(self._memory[start:stop], stop - start)
        parts: list[bytes] = []
        with self._reading() as file:
            while start < stop:
                parts.append(self._bytes(file, stop - start, start))
                if not parts[-1]:
                    raise self._damaged(_SHORT)
                start += len(parts[-1])
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def read_into(self, start: int, target: memoryview) -> None:
        """Fill `target` with the bytes from `start`, at least 0, on.

        Raises:
            HeadscopeError: the file has become shorter, or cannot be read.
        """
        rest = target.cast("B")
        if self._memory is not None:
            rest[:] = self._whole(self._memory[start : start + len(rest)], len(rest))
            return
        with self._reading() as file:
            while rest:
                count = self._into(file, rest[:_PIECE], start)
                if not count:
                    raise self._damaged(_SHORT)
                rest, start = rest[count:], start + count

    def fill(self, start: int, array: npt.NDArray[Any]) -> None:
        """The same for the memory of a whole numpy array in C order."""
        if array.nbytes:
            self.read_into(start, memoryview(array.reshape(-1).view("u1").data))

    def pieces(self, start: int = 0, stop: int | None = None, size: int = _PIECE) -> Iterator[bytes]:
        """The bytes one after the other, `size` at a time."""
        stop = self._size if stop is None else stop
        for first in range(start, stop, size):
            yield self[first : min(stop, first + size)]

    def _whole(self, part: bytes, size: int) -> bytes:
        if len(part) < size:
            raise self._damaged(_SHORT)
        return part

    @contextlib.contextmanager
    def _reading(self) -> Iterator[io.FileIO]:
        """The file, which stays open as long as somebody reads."""
        try:
            with self._lock:
                if self._file is None:
                    self._file = _open_files.take(self._key) or self._opened_again()
                self._readers += 1
                file = self._file
            try:
                yield file
            finally:
                with self._lock:
                    self._readers -= 1
                    if not self._readers:
                        self._file = None
                        _open_files.give(self._key, file)
        except OSError as error:
            raise io_error(self._shown, error) from None

    def _bytes(self, file: io.FileIO, count: int, start: int) -> bytes:
        """As many as come at once."""
        if _AT_A_PLACE:
            return os.pread(file.fileno(), count, start)
        with self._lock:
            file.seek(start)
            return file.read(count)

    def _into(self, file: io.FileIO, target: memoryview, start: int) -> int:
        """The same into memory; says how many."""
        if _AT_A_PLACE:
            return os.preadv(file.fileno(), [target], start)
        with self._lock:
            file.seek(start)
            return file.readinto(target)

    def _opened_again(self) -> io.FileIO:
        with reading(self._path) as descriptor:
            if _stamp(os.fstat(descriptor)) != self._stamp:
                raise self._damaged(_REPLACED)
            return io.FileIO(os.dup(descriptor), "rb")


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    """What tells a file from another that took its place, or that was written anew."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
