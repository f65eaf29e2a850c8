"""Watch: what a process holds, how late its main thread is, and whatever goes wrong in it.

`Tally` is what is in memory and open; `Lateness` a timer's delays by what was being done; `Watch` the ears:
Qt's messages, exceptions of every thread and of destructors, and what the program logs as an error.
"""

from __future__ import annotations

import gc
import logging
import os
import sys
import threading
import time
import traceback
from array import array
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget
from shiboken6 import getCppPointer

from model.trace.trace import ArrayPatterns
from model.trace.trace_file import FilePatterns
from tests.benchmarks.tools.heartbeat import Onlooker
from tests.benchmarks.tools.offscreen import wait_until

FIFTHS = 5
_SETTLE_S = 3.0  # the window's own collector comes every half second, `Heap` every two seconds
_COLUMNS = 11
_BEAT_MS = 10
_MOST_SIZES = 20
_LAST_SIZES = 6
HARMLESS = (
    "propagateSizeHints",  # of screens without a window manager
    "This plugin does not support",
    "occurs outside target window",  # Qt's test functions, of a window that has become smaller
    "QXcbConnection",
    "Could not connect \"org.freedesktop",
)  # fmt: skip


def status_of(name: str) -> int:
    """A number of `/proc/self/status`, 0 where there is none."""
    try:
        for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def descriptors() -> int:
    """How many descriptors this process has open, 0 where the system does not say."""
    try:
        return len(os.listdir("/proc/self/fd"))
    except OSError:
        return 0


def tasks() -> int:
    """How many threads the system counts, 0 where it does not say."""
    return status_of("Threads")


@dataclass(frozen=True)
class Tally:
    """What the process holds.

    Attributes:
        part, done: which part of the sitting, and how much of it is over.
        bytes: in memory; `own` those that no file holds as well; 0 where the system does not say.
        descriptors: open files, pipes, sockets; 0 where the system does not say.
        threads, tasks: Python's, and the system's.
        traces: sets of patterns that somebody still refers to: those of runs, of steps back, of pictures.
        kept: bytes of runs and of steps back, up to the bound that the settings tell: what a person keeps.
    """

    part: str
    done: int
    bytes: int
    own: int
    descriptors: int
    threads: int
    tasks: int
    widgets: int
    traces: int
    objects: int
    kept: int

    def __str__(self) -> str:
        return (
            f"{self.part:<12} {self.done:>6,} {self.bytes / 1e6:>9,.1f} {self.own / 1e6:>9,.1f} "
            f"{self.descriptors:>6} {self.threads:>7} {self.tasks:>6} {self.widgets:>8,} {self.traces:>7,} "
            f"{self.objects:>10,} {self.kept / 1e6:>9,.1f}"
        )


HEAD = (
    f"{'part':<12} {'done':>6} {'MB':>9} {'own MB':>9} {'files':>6} {'threads':>7} {'tasks':>6} "
    f"{'widgets':>8} {'traces':>7} {'objects':>10} {'kept MB':>9}"
)


def read_tallies(text: str) -> list[Tally]:
    """The tallies in what was printed of them."""
    told = []
    for line in text.splitlines():
        words = line.replace(",", "").split()
        if len(words) == _COLUMNS and words[1].isdecimal():
            done, size, own, *counts, kept = words[1:]
            sizes = (round(1e6 * float(size)), round(1e6 * float(own)))
            told.append(Tally(words[0], int(done), *sizes, *map(int, counts), round(1e6 * float(kept))))
    return told


def tally(part: str, done: int, kept: int = 0, *, settle: bool = True) -> Tally:
    """What the process holds, once the window has had the time to let go.

    Args:
        kept: see `Tally`.
        settle: give it that time.
    """
    if settle:
        end = time.monotonic() + _SETTLE_S
        wait_until(lambda: time.monotonic() > end)
        gc.collect()
    objects = gc.get_objects()
    traces = sum(type(each) in (ArrayPatterns, FilePatterns) for each in objects)
    return Tally(
        part, done, 1024 * status_of("VmRSS"), 1024 * status_of("RssAnon"), descriptors(),
        threading.active_count(), tasks(), len(QApplication.allWidgets()), traces, len(objects), kept,
    )  # fmt: skip


class Lateness(QObject):
    """A timer of the main thread that should come every 10 ms, and what was being done when it came late.

    On a machine with other work much of that is not the program's: what the thread itself took of the
    processor meanwhile is kept beside it.

    Args:
        where: tell where the thread was whenever it took more milliseconds of the processor; 0: never.
        tell: hears it.

    Attributes:
        doing: what is being done now; `number` which deed that is.
    """

    def __init__(self, where: float = 0.0, tell: Callable[[str], None] = print) -> None:
        super().__init__()
        self._where, self._tell = where, tell
        self.doing, self.number = "", 0
        self._late: dict[str, array[float]] = {}
        self._longest: dict[str, tuple[float, int]] = {}
        self._last, self._taken = time.perf_counter(), time.thread_time()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(_BEAT_MS)
        self._onlooker = Onlooker(self, where / 2) if where else None

    @property
    def late(self) -> float:
        """Milliseconds since the last beat."""
        return 1000 * (time.perf_counter() - self._last)

    def skip(self) -> None:
        """What was until now is not counted: the harness itself took the time."""
        self._last, self._taken = time.perf_counter(), time.thread_time()
        if self._onlooker is not None:
            self._onlooker.told()

    def _beat(self) -> None:
        now, taken = time.perf_counter(), time.thread_time()
        late = max(0.0, 1000 * (now - self._last) - _BEAT_MS)
        self._late.setdefault(self.doing, array("f")).append(late)
        own = 1000 * (taken - self._taken)
        if own > self._longest.get(self.doing, (-1.0, 0))[0]:
            self._longest[self.doing] = (own, self.number)
        self._last, self._taken = now, taken
        if self._onlooker is not None and late > self._where / 2:
            seen = self._onlooker.told()
            if own > self._where:
                self._tell(f"deed {self.number}, {self.doing}: {late:.0f} ms, processor {own:.0f}\n{seen}")

    def lines(self) -> list[str]:
        """Median, 99th of 100, longest, and the most that the thread took itself with its deed, in ms."""
        names = ("beats", "p50", "p99", "longest", "own", "deed")
        told = ["{:<20} {:>8} {:>8} {:>8} {:>9} {:>8} {:>7}".format("late by ms", *names)]
        everything = array("f")
        for late in self._late.values():
            everything.extend(late)
        longest = {"all": max(self._longest.values(), default=(0.0, 0)), **self._longest}
        for name, late in [("all", everything), *self._late.items()]:
            if late:
                row = sorted(late)
                p50, p99 = row[len(row) // 2], row[min(len(row) - 1, len(row) * 99 // 100)]
                own, deed = longest[name]
                told.append(
                    f"{name:<20} {len(row):>8,} {p50:>8.1f} {p99:>8.1f} {row[-1]:>9.1f} {own:>8.1f} {deed:>7}"
                )
        return told


class Sizes(QObject):
    """Counts how often each widget is given another size while it is installed in the application."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: Counter[tuple[int, str]] = Counter()
        self._last: dict[tuple[int, str], deque[str]] = {}

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched.isWidgetType():
            one = getCppPointer(watched)[0], type(watched).__name__
            self._counts[one] += 1
            assert isinstance(watched, QWidget)
            self._last.setdefault(one, deque(maxlen=_LAST_SIZES)).append(_place(watched))
        return False

    def restless(self) -> str:
        """The widget that was most often, and where it was, if that is more often than what comes to rest."""
        most = self._counts.most_common(1)
        if not most or most[0][1] <= _MOST_SIZES:
            return ""
        one, count = most[0]
        return f"{one[1]}: {count} sizes, at last " + ", ".join(self._last[one])


def _place(widget: QWidget) -> str:
    """Its size, what it says and what it stands in."""
    said = repr(widget.text()[:40]) if isinstance(widget, (QLabel, QAbstractButton)) else ""
    around = widget.parentWidget()
    return f"{widget.width()}x{widget.height()} {said} in {type(around).__name__}"


class Watch:
    """Hears what goes wrong; each is told once.

    Args:
        heard: is given each fault, in whatever thread it happened.
    """

    def __init__(self, heard: Callable[[str], None]) -> None:
        self._heard = heard
        self._logs = _Logs(self)
        sys.excepthook = self._exception
        threading.excepthook = self._of_thread
        sys.unraisablehook = self._unraisable
        qInstallMessageHandler(self._message)
        logging.getLogger().addHandler(self._logs)

    def fault(self, what: str) -> None:
        """Something is wrong."""
        if not any(each in what for each in HARMLESS):
            self._heard(what)

    def _exception(self, kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
        self.fault("exception: " + "".join(traceback.format_exception(kind, error, at)))

    def _of_thread(self, hooked: threading.ExceptHookArgs) -> None:
        told = traceback.format_exception(hooked.exc_type, hooked.exc_value, hooked.exc_traceback)
        self.fault(f"exception in thread {hooked.thread}: " + "".join(told))

    def _unraisable(self, hooked: Any) -> None:
        told = traceback.format_exception(hooked.exc_type, hooked.exc_value, hooked.exc_traceback)
        self.fault(f"exception in {hooked.object!r}: " + "".join(told))

    def _message(self, kind: QtMsgType, context: object, text: str) -> None:
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg):
            stack = "".join(traceback.format_stack(limit=14)[:-1])
            self.fault(f"Qt: {text}\n{stack}")


class _Logs(logging.Handler):
    """What is logged as an error."""

    def __init__(self, watch: Watch) -> None:
        super().__init__(logging.ERROR)
        self._watch = watch

    def emit(self, record: logging.LogRecord) -> None:
        self._watch.fault(f"log: {self.format(record)}")
