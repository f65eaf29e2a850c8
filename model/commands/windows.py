"""Windows of a stream: as many of its items at a time as have come, to be worked on together."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from typing import Generic, TypeVar

Item = TypeVar("Item", bound=object)

MOST = 1024
"""Most items of a window."""
LARGEST = 2**17
"""Characters from which a window is full, however few items they are."""
_LOOK = 0.5
"""Seconds between two looks of whoever waits: no signal would wake it on every system."""


def windows(items: Iterator[Item], *, live: bool) -> Iterator[list[Item]]:
    """The items in order, in lists that are never empty.

    No more is held than one window, and one more if live, however long the stream is.

    Args:
        live: whoever writes the items may wait for what becomes of one before the next: they are read from
            now on, beside everything else, and a window is what has come, full or not.

    Raises:
        Exception: what `items` raises, after the items before it.
    """
    return _live(_Ahead(items)) if live else _full(items)


def _full(items: Iterator[Item]) -> Iterator[list[Item]]:
    window: list[Item] = []
    size = 0
    try:
        for item in items:
            window.append(item)
            size += _size(item)
            if len(window) >= MOST or size >= LARGEST:
                yield window
                window, size = [], 0
    except Exception:
        if window:
            yield window
        raise
    if window:
        yield window


def _live(ahead: _Ahead[Item]) -> Iterator[list[Item]]:
    while window := ahead.window():
        yield window


class _Ahead(Generic[Item]):
    """Items read in a thread of its own, which never holds up the end of the process."""

    def __init__(self, items: Iterator[Item]) -> None:
        self._items = items
        self._read: deque[Item] = deque()
        self._size = 0
        self._ended = False
        self._error: BaseException | None = None
        self._turn = threading.Condition()
        threading.Thread(target=self._run, name="reading ahead", daemon=True).start()

    def _run(self) -> None:
        try:
            for item in self._items:
                with self._turn:
                    self._turn.wait_for(lambda: len(self._read) < MOST and self._size < LARGEST)
                    self._read.append(item)
                    self._size += _size(item)
                    self._turn.notify_all()
        except BaseException as error:
            self._error = error
        with self._turn:
            self._ended = True
            self._turn.notify_all()

    def window(self) -> list[Item]:
        """What has been read, at least one item; none at the end."""
        with self._turn:
            while not self._read and not self._ended:
                self._turn.wait(_LOOK)
            window = list(self._read)
            self._read.clear()
            self._size = 0
            self._turn.notify_all()
        if not window and self._error is not None:
            raise self._error
        return window


def _size(item: object) -> int:
    return len(item) if isinstance(item, str) else 0
