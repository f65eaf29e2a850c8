"""Kept sessions that are nobody's: what is told of each, and which go when there are too many."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from viewer.document.files.session_file import SESSION, Outline, outline_of

MOST, MOST_LIGHT = 20, 3
"""How many sessions are kept at most, and how many of a single run that were closed."""
MOST_BYTES = 2 << 30
_REMEMBERED = 64


@dataclass(frozen=True)
class Kept:
    """A session that is kept.

    Attributes:
        when: seconds since 1970 when it was written.
        size: bytes on the disk.
        waiting: a crash left it, and nobody has said yet what is to become of it.
        closed: left by a window that was closed; else by one that crashed.
    """

    folder: Path
    outline: Outline
    when: float
    size: int
    waiting: bool
    closed: bool

    @property
    def runs(self) -> int:
        """How many runs it has."""
        return self.outline.runs

    @property
    def light(self) -> bool:
        """Whether it holds no more than a run that is made again in a second."""
        return self.outline.made < 2 and not self.outline.marked


def look_at(folder: Path, *, waiting: bool, closed: bool) -> Kept | None:
    """What is kept in a folder; None if it never came to hold a run, or cannot be read."""
    with contextlib.suppress(OSError):
        state = (folder / SESSION).stat()
        outline = _outline(folder, state.st_mtime_ns, state.st_size)
        if outline is not None and outline.runs:
            when = min(state.st_mtime, time.time())
            return Kept(folder, outline, when, _size(folder), waiting, closed)
    return None


def too_many(kept: Iterable[Kept], most: int = MOST, most_bytes: int = MOST_BYTES) -> list[Kept]:
    """Those that go: first what is light, then what was closed or seen, the oldest first.

    The newest of real work never does, however large it is, and however much came after it.
    """
    order = sorted(kept, key=lambda one: (not one.light, one.waiting, one.when))
    real = [one for one in order if not one.light]
    safe = max(real, key=lambda one: one.when, default=None)
    order = [one for one in order if one is not safe]
    closed = [one for one in order if one.light and not one.waiting]
    going = closed[: max(0, len(closed) - MOST_LIGHT)]
    left = [one for one in order if one not in going]
    count, size = len(left), sum(one.size for one in left)
    if safe is not None:
        count, size = count + 1, size + safe.size
    for one in left:
        if count <= most and size <= most_bytes:
            break
        going.append(one)
        count, size = count - 1, size - one.size
    return going


@lru_cache(_REMEMBERED)
def _outline(folder: Path, written: int, size: int) -> Outline | None:
    """Read once as long as it is not written again: the menu asks each time it opens."""
    return outline_of(folder)


def _size(folder: Path) -> int:
    total = 0
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                total += entry.stat(follow_symlinks=False).st_size
    return total
