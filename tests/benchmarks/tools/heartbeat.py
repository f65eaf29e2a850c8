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
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
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
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self._beat)

    def begin(self) -> None:
        """From now on."""
        self.longest, self.over = Block(), 0
        self._wall, self._cpu = time.perf_counter(), time.thread_time()
        self._timer.start()

    def end(self) -> None:
        """No more."""
        self._timer.stop()

    @property
    def late(self) -> float:
        """Milliseconds since the last tick."""
        return 1000 * (time.perf_counter() - self._wall)

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
        self._seen: Counter[tuple[str, ...]] = Counter()
        self._over = threading.Event()
        # The watched thread writes where it is itself, upon a signal: to walk its stack from another thread
        # has crashed.
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  # until `stop`
        faulthandler.register(signal.SIGUSR1, self._file, all_threads=False)
        self._thread = threading.Thread(target=self._look, name="onlooker", daemon=True)
        self._thread.start()

    def told(self, most: int = 14) -> str:
        """The lines of the program that were seen most often, in percent of all sights; forgets them."""
        seen, self._seen = self._seen, Counter()
        total = sum(seen.values())
        frames: Counter[str] = Counter()
        for stack, count in seen.items():
            for frame in dict.fromkeys(stack):
                frames[frame] += count
        often = [(frame, count) for frame, count in frames.most_common(60) if count >= total / 12]
        return "".join(
            f"      {100 * count // max(1, total):3} %  {frame}\n" for frame, count in often[:most]
        )

    def stop(self) -> None:
        """Look no more."""
        self._over.set()
        self._thread.join()
        faulthandler.unregister(signal.SIGUSR1)
        self._file.close()

    def _look(self) -> None:
        while not self._over.wait(_LOOK_S):
            if self._heartbeat.late > self._late:
                self._file.seek(0)
                self._file.truncate()
                signal.pthread_kill(self._watched, signal.SIGUSR1)
                time.sleep(_LOOK_S)
                self._file.seek(0)
                stack = tuple(_stack(self._file.read().decode("utf-8", "replace")))
                if stack:
                    self._seen[stack] += 1


def _stack(text: str) -> Iterator[str]:
    """The lines that lie in the project."""
    for line in text.splitlines():
        if line.startswith("  ") and any(f"/{top}/" in line for top in _OURS) and "benchmarks" not in line:
            yield line.strip().removeprefix('File "').replace('", line ', ":")
