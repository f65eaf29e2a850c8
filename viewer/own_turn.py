"""Own turns of the event loop, for work that shares them with nobody. QtCore only.

`OwnTurn`: once, however often it is asked for; `HalfTime`: half of the time at most; `InTurns`: step by step.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer

_OTHERS_S = 0.004  # a turn that comes later than this was another's as well
_MOST = 3  # turns that are left to others, one after the other
_LONG_S = 0.016  # one that comes so much later is left to them twice as often
_MOST_REST_S = 0.25  # of `HalfTime`, however much else the thread does


class OwnTurn(QObject):
    """Does something in a turn to come, however often it was asked until then.

    Timers that are due share a turn of the loop, in which nobody else is heard: behind others that took long
    this one gives way, a few times at most.
    """

    def __init__(self, work: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._asked = 0.0
        self._given = 0
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.timeout.connect(self._next)

    @property
    def waiting(self) -> bool:
        """Whether it is asked for and not done."""
        return self._turn.isActive()

    def ask(self) -> None:
        """Do it soon."""
        if not self.waiting:
            self._asked = time.monotonic()
            self._turn.start(0)

    def stop(self) -> None:
        """Do it no more, unless it is asked for again."""
        self._turn.stop()

    def _next(self) -> None:
        late = time.monotonic() - self._asked
        if late > (_OTHERS_S if self._given < _MOST else _LONG_S) and self._given < 2 * _MOST:
            self._given += 1
            self.ask()
        else:
            self._given = 0
            self._work()


class HalfTime(QObject):
    """Does something in a turn to come, and leaves as much of the processor as that takes to others.

    Counted is all that the thread does from one time to the next: what followed from it, frames too. Where
    it is busy with something else as well, it is done four times a second all the same.
    """

    def __init__(self, work: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._since, self._taken = time.monotonic(), time.thread_time()
        self._asked: float | None = None
        self._turn = OwnTurn(self._go, self)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._go_on)

    @property
    def waiting(self) -> bool:
        """Whether it is asked for and not done."""
        return self._asked is not None

    def ask(self, *, at_once: bool = False) -> None:
        """Do it as soon as others have had their half; `at_once`: in the next turn."""
        if self._asked is None:
            self._asked = time.monotonic()
        if at_once:
            self._rest.stop()
            self._turn.ask()
        elif not self._turn.waiting and not self._rest.isActive():
            self._go_on()

    def stop(self) -> None:
        """Do it no more, unless it is asked for again."""
        self._asked = None
        self._turn.stop()
        self._rest.stop()

    def _go_on(self) -> None:
        """What followed from the last time may have come only now: what is left is worked out anew."""
        if self._asked is None:
            return
        now = time.monotonic()
        left = 2 * (time.thread_time() - self._taken) - (now - self._since)
        left = min(left, self._asked + _MOST_REST_S - now)
        if left > 0:
            self._rest.start(math.ceil(1000 * left))
        else:
            self._turn.ask()

    def _go(self) -> None:
        self._asked = None
        self._since, self._taken = time.monotonic(), time.thread_time()
        self._work()


class InTurns(QObject):
    """Goes through something step by step: the first is done at once, each other in a turn of its own."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Iterator[object] = iter(())
        self._turn = OwnTurn(self._go_on, self)

    @property
    def busy(self) -> bool:
        """Whether there are steps to come."""
        return self._turn.waiting

    def begin(self, steps: Iterator[object]) -> None:
        """Go through these, unless there are others to come."""
        if not self.busy:
            self._steps = steps
            self._go_on()

    def stop(self) -> None:
        """Leave what is to come."""
        self._turn.stop()
        self._steps = iter(())

    def _go_on(self) -> None:
        if next(self._steps, self) is not self:
            self._turn.ask()
