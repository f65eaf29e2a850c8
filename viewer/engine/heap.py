"""Heap: what the C library holds free given back to the system, where that library is glibc."""

from __future__ import annotations

import ctypes
import sys
from functools import cache

from PySide6.QtCore import QObject, QTimer, Slot

QUIET_MS = 500


@cache
def _trim() -> object:
    """glibc's `malloc_trim`; None with any other library."""
    if not sys.platform.startswith("linux"):
        return None
    return getattr(ctypes.CDLL(None), "malloc_trim", None)


class Heap(QObject):
    """Gives back what is free once its owner has had nothing to do for half a second.

    Every translation takes blocks of other sizes than the last, and those that are free lie between those
    that are kept: after some hundred the process holds some 20 MB that nobody uses. To give them back takes
    1 to 7 ms.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(QUIET_MS)
        self._quiet.timeout.connect(self.give_back)

    def rest(self) -> None:
        """There is nothing to do."""
        self._quiet.start()

    def stop(self) -> None:
        """There is something to do, or nothing will be any more."""
        self._quiet.stop()

    @Slot()
    def give_back(self) -> None:
        """Give back what is free."""
        trim = _trim()
        if callable(trim):
            trim(0)
