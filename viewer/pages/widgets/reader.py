"""`Reader`: has what takes long to read from a file read in a thread beside the window's."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from functools import cache

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from model.errors import HeadscopeError
from model.work import due
from viewer.giving_way import NAP_S, has_to_wait, in_frame

_SLICE_S = 0.005  # of what is urgent
_SOON_S = 0.03  # what is urgent and takes longer gives way to the window, too

Reading = Callable[[], Iterator[None]]
"""Begins to read; may be left at every `yield`."""


class Reader(QObject):
    """What one view has read: one thing at a time, the next one asked for instead of it.

    Attributes:
        unread: what could not be read, if that was the last thing that was asked for.

    Signals:
        went_on: some more of it has been read.
        failed: the `HeadscopeError` for which it cannot be read; then `done`.
        done: it has been read, or cannot be.
    """

    went_on = Signal()
    failed = Signal(object)
    done = Signal()

    def __init__(self, parent: QObject, *, urgency: int = 0) -> None:
        """Args: urgency: 0; more where it may wait until nothing else is read and the window rests."""
        super().__init__(parent)
        self._urgency = urgency
        self._job: _Job | None = None
        self.unread: Hashable | None = None

    @property
    def busy(self) -> bool:
        """Whether something is being read still."""
        return self._job is not None

    def read(self, what: Hashable, reading: Reading) -> None:
        """Have something read; what is being read already goes on.

        Args:
            what: equal for what is the same.
        """
        if self._job is not None and self._job.what == what:
            return
        self.stop()
        self._job = _Job(self, self._urgency, what, reading)
        _thread.add(self._job)

    def stop(self) -> None:
        """Nobody waits for it any more."""
        if self._job is not None:
            self._job.dropped = True
            self._job = None

    def hear(self, job: _Job, error: object, over: bool) -> None:
        """What the thread said; of something that was dropped meanwhile it is not passed on."""
        if job is not self._job:
            return
        if not over:
            job.told = True
            self.went_on.emit()
            return
        self._job = None
        self.unread = None if error is None else job.what
        if isinstance(error, HeadscopeError):
            self.failed.emit(error)
        self.done.emit()
        if isinstance(error, Exception) and not isinstance(error, HeadscopeError):
            raise error


class _Voice(QObject):
    """What the thread says, said on in the window's: there a reader goes, or does not, before it is told.

    The thread would emit a reader's own signal while the window lets it go, which ends the process.
    """

    said = Signal(object, object, bool)

    def __init__(self) -> None:
        super().__init__()
        self.said.connect(self._say_on, Qt.ConnectionType.QueuedConnection)

    @classmethod
    @cache
    def only(cls) -> _Voice:
        """The one that there is, from the first reader on, in whose thread it lives."""
        return cls()

    def _say_on(self, job: _Job, error: object, over: bool) -> None:
        if isValid(job.reader):
            job.reader.hear(job, error, over)


class _Job:
    """One thing that a reader has read.

    Attributes:
        reader: who hears of it.
        dropped: nobody wants it any more.
        told: the reader has heard the last thing that was said of it.
        took: seconds that it was read so far.
    """

    def __init__(self, reader: Reader, urgency: int, what: Hashable, reading: Reading) -> None:
        self.what = what
        self.order = (urgency, next(_numbers))
        self.dropped = False
        self.told = True
        self.took = 0.0
        self.reader, self._reading, self._voice = reader, reading, _Voice.only()
        self._steps: Iterator[None] | None = None
        self._said_at = time.monotonic()

    @property
    def may_wait(self) -> bool:
        """Whether the window comes first while it paints: not for what is read before anybody sees."""
        return self.order[0] > 0 or self.took > _SOON_S

    def go_on(self) -> bool:
        """Read some more; whether there is more to read."""
        try:
            if self._steps is None:
                self._steps = self._reading()
            end = time.monotonic() + (_SLICE_S if self.order[0] == 0 else 0.0)
            next(self._steps)
            while time.monotonic() < end and not self.dropped:
                next(self._steps)
        except StopIteration:
            self._say(None, over=True)
            return False
        except Exception as error:  # the reader's view hears of it
            self._say(error, over=True)
            return False
        if self.told and due(self._said_at):
            self.told, self._said_at = False, time.monotonic()
            self._say(None, over=False)
        return True

    def _say(self, error: object, *, over: bool) -> None:
        if not self.dropped:
            with suppress(RuntimeError):  # the program ends
                self._voice.said.emit(self, error, over)


class _Thread:
    """Reads the most urgent first, a few milliseconds at a time; there is a thread only while it reads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: list[_Job] = []
        self._running = False

    def add(self, job: _Job) -> None:
        """Read something too."""
        with self._lock:
            self._jobs.append(job)
            if not self._running:
                self._running = True
                threading.Thread(target=self._run, name="reading", daemon=True).start()

    def _run(self) -> None:
        while True:
            with self._lock:
                self._jobs = [job for job in self._jobs if not job.dropped]
                if not self._jobs:
                    self._running = False
                    return
                job = min(self._jobs, key=lambda each: each.order)
            if in_frame() or (job.may_wait and has_to_wait()):
                time.sleep(NAP_S)
                continue
            began = time.monotonic()
            more = job.go_on()
            job.took += time.monotonic() - began
            if not more:
                with self._lock:
                    self._jobs.remove(job)


_numbers = itertools.count()
_thread = _Thread()
