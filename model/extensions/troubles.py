"""Troubles: what is said of an extension that fails, once, to whoever listens. No torch."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from model.errors import HeadscopeError

_LONGEST = 200
_log = logging.getLogger(__name__)
_lock = threading.Lock()
_told: set[str] = set()

Listener = Callable[[HeadscopeError], None]
_listener: Listener | None = None


class Refused(Exception):
    """An extension is not what it should be; the text says how."""


def listen(listener: Listener | None) -> None:
    """Whom to tell from now on, in whatever thread it happens; None: the log."""
    global _listener
    _listener = listener


def failed(name: str, package: str, error: BaseException) -> HeadscopeError:
    """`extension_failed`, the reason in one line of at most 200 characters."""
    reason = str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
    reason = " ".join(reason.split())[:_LONGEST]
    return HeadscopeError("extension_failed", name=name, package=package, reason=reason)


def tell(name: str, package: str, error: BaseException) -> HeadscopeError:
    """Say that an extension is not used; the same of it only once.

    Returns:
        `extension_failed`, for whoever must say why something is not there.
    """
    problem = failed(name, package, error)
    with _lock:
        new = str(problem) not in _told
        _told.add(str(problem))
    if new and _listener is not None:
        _listener(problem)
    elif new:
        _log.warning("%s", problem)
    return problem


@contextmanager
def anew() -> Iterator[None]:
    """Inside, nothing was told yet; for tests."""
    with _lock:
        before = set(_told)
        _told.clear()
    try:
        yield
    finally:
        with _lock:
            _told.clear()
            _told.update(before)
