"""Giving way: what may wait rests while the window builds and paints. No Qt.

Two threads that take the interpreter from each other make the window half as fast.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

NAP_S = 0.003
"""For so long sleeps who has to wait, then it asks again."""

_REST_S = 0.04  # after the last change what may wait goes on
_PATIENCE_S = 0.2  # or a little of it, however busy the window is


class _Rest:
    """When the window will have nothing to do, as far as can be known."""

    def __init__(self) -> None:
        self._begins = self._since = 0.0
        self.frame_since: float | None = None

    def put_off(self) -> None:
        """Something changed: the window builds and paints now."""
        now = time.monotonic()
        if now >= self._begins:  # it rested: what may wait could go on until now
            self._since = now
        self._begins = now + _REST_S

    def ahead(self) -> bool:
        """Whether what may wait has to; now and then it need not, however busy the window is."""
        now = time.monotonic()
        if now < min(self._begins, self._since + _PATIENCE_S):
            return True
        self._since = now
        return False


def make_way() -> None:
    """A view is about to be built and painted: for a moment nothing is done that may wait."""
    _rest.put_off()


def has_to_wait() -> bool:
    """Whether what may wait has to, asked from any thread."""
    return _rest.ahead()


@contextmanager
def frame() -> Iterator[None]:
    """The window paints a frame: until it has, nothing else is done, be it ever so urgent."""
    _rest.frame_since = time.monotonic()
    try:
        yield
    finally:
        _rest.frame_since = None
        make_way()


def in_frame() -> bool:
    """Whether the window paints a frame, asked from any thread; one that lasts is none any more."""
    since = _rest.frame_since
    return since is not None and time.monotonic() - since < _PATIENCE_S


def give_way(given_up: Callable[[], bool], most: float = math.inf) -> None:
    """Sleep as long as what may wait has to, from any thread but the window's.

    Args:
        given_up: whether what waits is not wanted any more; then it goes on at once.
        most: seconds after which it goes on, however busy the window is; a frame is let end.
    """
    end = time.monotonic() + most
    while not given_up():
        now = time.monotonic()
        if not ((now < end and has_to_wait()) or (now < end + _PATIENCE_S and in_frame())):
            return
        time.sleep(NAP_S)


_rest = _Rest()
