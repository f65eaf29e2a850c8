"""A heartbeat of the window's thread: for how long, at most, did it hear nobody?

A precise timer of 5 ms ticks in the thread that is watched; whatever keeps the event loop from its next turn
(one slot, or a queue of events handled in one go) makes the next tick late by as long. Of the longest such
block both the wall clock and the thread's own processor time are told: the first counts what others took of
the processor (the interpreter's lock included), the second does not.
"""

from __future__ import annotations

import faulthandler
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import Qt, QTimer

INTERVAL_MS = 5
_LOOK_S = 0.002
_OURS = ("model", "viewer")


@dataclass(frozen=True)
class Block:
    """A stretch in which nothing was heard: milliseconds by the clock, and of the thread's processor time."""

    wall: float = 0.0
    cpu: float = 0.0


class Heartbeat:
    """Ticks in the thread that made it.

    Attributes:
        longest: the longest block since `begin`.
        over: how many blocks lasted longer than `limit_ms`.
    """

    def __init__(self, limit_ms: float) -> None:
        self._limit = limit_ms
        self.longest, self.over = Block(), 0
        self._wall = self._cpu = 0.0
        self._beats = False
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self._beat)

    def begin(self) -> None:
        """From now on."""
        self.longest, self.over = Block(), 0
        self._wall, self._cpu = time.perf_counter(), time.thread_time()
        self._beats = True
        self._timer.start()

    def end(self) -> None:
        """No more."""
        self._beats = False
        self._timer.stop()

    @property
    def late(self) -> float:
        """Milliseconds since the last tick, while it beats."""
        return 1000 * (time.perf_counter() - self._wall) if self._beats else 0.0

    def _beat(self) -> None:
        wall, cpu = time.perf_counter(), time.thread_time()
        block = Block(1000 * (wall - self._wall) - INTERVAL_MS, 1000 * (cpu - self._cpu))
        self._wall, self._cpu = wall, cpu
        self.over += block.wall > self._limit
        if block.wall > self.longest.wall:
            self.longest = block


class Beating(Protocol):
    """A heartbeat that an onlooker asks how late it is."""

    @property
    def late(self) -> float:
        """Milliseconds since the last beat."""


class Onlooker:
    """Looks from a thread of its own where the watched one is while it is late; it costs a little itself.

    It takes the stack as text: whoever held a frame of Python's would let its widgets die in this thread.
    """

    def __init__(self, heartbeat: Beating, late_ms: float) -> None:
        self._heartbeat, self._late = heartbeat, late_ms
        self._watched = threading.get_ident()
        # Where it was in the block that goes on, and in the longest one since `told`.
        self._block: list[tuple[str, ...]] = []
        self._longest: list[tuple[str, ...]] = []
        self._over = threading.Event()
        # The watched thread writes where it is itself, upon a signal: to walk its stack from another thread
        # has crashed.
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  # until `stop`
        faulthandler.register(signal.SIGUSR1, self._file, all_threads=False)
        self._thread = threading.Thread(target=self._look, name="onlooker", daemon=True)
        self._thread.start()

    def told(self) -> str:
        """The lines of the program in the longest block, who calls above who is called; forgets them.

        In percent of all sights; what was seen in fewer than a tenth is left out.
        """
        sights = max(self._longest, self._block, key=len)
        self._longest, self._block = [], []
        return "".join(_told(sights, len(sights), 0))

    def stop(self) -> None:
        """Look no more."""
        self._over.set()
        self._thread.join()
        faulthandler.unregister(signal.SIGUSR1)
        self._file.close()

    def _look(self) -> None:
        late = 0.0
        while not self._over.wait(_LOOK_S):
            before, late = late, self._heartbeat.late
            if late < before:  # another block
                self._longest, self._block = max(self._longest, self._block, key=len), []
            if late > self._late:
                self._file.seek(0)
                self._file.truncate()
                signal.pthread_kill(self._watched, signal.SIGUSR1)
                time.sleep(_LOOK_S)
                self._file.seek(0)
                stack = tuple(_stack(self._file.read().decode("utf-8", "replace")))
                if stack:
                    self._block.append(stack[::-1])


def _told(sights: list[tuple[str, ...]], of: int, depth: int) -> Iterator[str]:
    """The callers at a depth, the most often seen first, each with whom it called."""
    by_caller: dict[str, list[tuple[str, ...]]] = {}
    for sight in sights:
        if len(sight) > depth:
            by_caller.setdefault(sight[depth], []).append(sight)
    for caller, seen in sorted(by_caller.items(), key=lambda item: -len(item[1])):
        if 10 * len(seen) >= of:
            yield f"      {100 * len(seen) // of:3} %  {min(depth, 30) * ' '}{caller}\n"
            yield from _told(seen, of, depth + 1)


def _stack(text: str) -> Iterator[str]:
    """The lines that lie in the project."""
    for line in text.splitlines():
        if line.startswith("  ") and any(f"/{top}/" in line for top in _OURS) and "benchmarks" not in line:
            place = line.strip().removeprefix('File "').replace('", line ', ":")
            yield place.removeprefix(f"{Path.cwd()}/")
