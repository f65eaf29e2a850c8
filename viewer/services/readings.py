"""`Readings`: files read in a thread beside the window's, and handed over whole, in the order asked.

One thing after the other: what is asked for while a file is read has its turn once that file has been handed
over, so that what was asked for last is what is in view. QtCore only.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from model.errors import HeadscopeError

_log = logging.getLogger(__name__)

_LAST_WAIT_S = 10.0


@dataclass(eq=False)
class _Turn:
    """Something that was asked for; see `Readings.ask`."""

    what: Hashable
    begin: Callable[[], object]


@dataclass(eq=False)
class _Reading:
    """A file that is being read; see `Readings.read`."""

    name: str
    work: Callable[[], Any]
    take: Callable[[Any], object]
    refuse: Callable[[HeadscopeError], object]
    drop: Callable[[], object]
    over: threading.Event = field(default_factory=threading.Event)
    result: Any = None
    error: HeadscopeError | None = None


class Readings(QObject):
    """What one window has read.

    Signals:
        changed: another file is being read now, or none.
    """

    changed = Signal()
    _read = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._turns: deque[_Turn] = deque()
        self._reading: _Reading | None = None
        self._last: Hashable = None  # of what was asked for and is not over, the newest
        self._threads: list[threading.Thread] = []
        self._taking = self._closed = False
        self._read.connect(self._hand_over, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether something is being read or waits for its turn."""
        return self._reading is not None or bool(self._turns) or self._taking

    @property
    def name(self) -> str:
        """What is being read now, for a person; empty for nothing."""
        return "" if self._reading is None else self._reading.name

    @property
    def last(self) -> Hashable:
        """What was asked for last, while it is not handed over yet; else None."""
        return self._last if self.busy else None

    def has(self, what: Hashable) -> bool:
        """Whether this is what was asked for last, and it is not handed over yet."""
        return self.last == what

    # In the window's thread.

    def ask(self, what: Hashable, begin: Callable[[], object]) -> None:
        """Have something done in its turn: at once if nothing is being read.

        Args:
            what: equal for what is the same: what is asked for twice, one time right after the other, is done
                once.
            begin: does it; it may call `read`, once.
        """
        if self._closed or self.has(what):
            return
        self._last = what
        self._turns.append(_Turn(what, begin))
        self._go_on()

    def read(
        self,
        name: str,
        work: Callable[[], Any],
        take: Callable[[Any], object],
        refuse: Callable[[HeadscopeError], object],
        drop: Callable[[], object] = lambda: None,
    ) -> None:
        """Read a file; to be called by what `ask` begins.

        Args:
            name: of the file, for a person.
            work: called in a thread of its own; gives what is to be handed over. No Qt in there.
            take, refuse, drop: what the window's thread does with it, with the `HeadscopeError` for which it
                could not be read, or because it was dropped; one of them is called, once.
        """
        assert self._reading is None, "one file at a time"
        reading = _Reading(name, work, take, refuse, drop)
        self._reading = reading
        thread = threading.Thread(target=self._carry_out, args=(reading,), name="read-file", daemon=True)
        self._threads = [*filter(threading.Thread.is_alive, self._threads), thread]
        thread.start()
        self.changed.emit()

    def drop(self) -> None:
        """What is being read is not wanted any more; what waits for its turn has it now."""
        reading = self._reading
        if reading is not None:
            self._end(reading, reading.drop)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until all that was asked for is handed over, for whoever cannot go on without it.

        Returns:
            Whether it is; if not, it goes on.
        """
        end = None if seconds is None else time.monotonic() + seconds
        while (reading := self._reading) is not None:
            if not reading.over.wait(None if end is None else max(0.0, end - time.monotonic())):
                return False
            self._hand_over(reading)
        return not self.busy

    def stop(self) -> None:
        """Drop all, read nothing more, and wait for the threads; one that a dead disk holds up is left."""
        self._closed = True
        self._turns.clear()
        self.drop()
        end = time.monotonic() + _LAST_WAIT_S
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _hand_over(self, reading: _Reading) -> None:
        """It is read; one that was dropped, or handed over to whoever waited, gives nothing."""
        if reading is not self._reading:
            return
        if reading.error is not None:
            error = reading.error
            self._end(reading, lambda: reading.refuse(error))
        else:
            self._end(reading, lambda: reading.take(reading.result))

    def _end(self, reading: _Reading, tell: Callable[[], object]) -> None:
        self._reading, self._taking = None, True
        try:
            self.changed.emit()
            tell()
        finally:
            self._taking = False
            self._go_on()

    def _go_on(self) -> None:
        """Begin what waits, until a file is being read."""
        while self._turns and self._reading is None and not self._taking:
            turn = self._turns.popleft()
            self._taking = True
            try:
                turn.begin()
            finally:
                self._taking = False

    # In a thread.

    def _carry_out(self, reading: _Reading) -> None:
        try:
            reading.result = reading.work()
        except HeadscopeError as error:
            reading.error = error
        except Exception as error:  # whatever it is, the window is told
            _log.exception("%s was not read", reading.name)
            reading.error = HeadscopeError("internal", detail=f"{type(error).__name__}: {error}")
        reading.over.set()
        with suppress(RuntimeError):  # the window is gone
            self._read.emit(reading)
