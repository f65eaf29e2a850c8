"""Heap: what the C library holds free given back to the system, where that library is glibc."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot

QUIET_MS, AGAIN_MS = 500, 2000
WORTH_BYTES = 4 << 20
_ARENA_MAX = -8  # glibc's M_ARENA_MAX


@cache
def _function(name: str) -> object:
    """One of glibc's own; None with any other library."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return getattr(library, name, None) if hasattr(library, "gnu_get_libc_version") else None


def one_arena() -> None:
    """Let all threads take memory from one place; before there are any.

    Otherwise each gets a place of its own, and of that `malloc_trim` gives back all but the free end, which
    is up to 64 MB: the threads that had drawn some sixty exports held 100 MB and more that nobody used.
    """
    limit = _function("mallopt")
    if callable(limit):
        limit(_ARENA_MAX, 1)


def _resident() -> int:
    """Bytes of this process that are in memory; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


class Heap(QObject):
    """Gives back what is free once its owner has had nothing to do for half a second.

    Every translation takes blocks of other sizes than the last, and those that are free lie between those
    that are kept: after some hundred the process holds some 20 MB that nobody uses. To give them back takes
    1 to 7 ms. While there goes on being nothing to do it is done again whenever the process has come to take
    4 MB more: by then a picture may have been written, or a page left.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._quiet = QTimer(self)
        self._quiet.timeout.connect(self._look)
        self._left = 0

    def rest(self) -> None:
        """There is nothing to do."""
        self._left = 0
        self._quiet.start(QUIET_MS)

    def stop(self) -> None:
        """There is something to do, or nothing will be any more."""
        self._quiet.stop()

    @Slot()
    def _look(self) -> None:
        self._quiet.setInterval(AGAIN_MS)
        if not self._left or _resident() > self._left + WORTH_BYTES:
            self.give_back()

    def give_back(self) -> None:
        """Give back what is free."""
        trim = _function("malloc_trim")
        if callable(trim):
            trim(0)
        self._left = _resident()
