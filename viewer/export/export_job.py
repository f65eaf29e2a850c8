"""Export job: a file, or a picture for the clipboard, made in a thread while the window goes on.

A trace, a figure and a request are frozen, and Qt paints on images in any thread. What is known of a model is
asked in the main thread, where the answers are kept.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from model.errors import HeadscopeError
from model.files.watched import watched
from model.questions.questions import Question, Reading
from viewer.figures.request import Source
from viewer.giving_way import give_way

_log = logging.getLogger(__name__)

_WORK_S, _REST_S = 0.01, 0.03  # in turns, while the window has something to do
_ASKING_S = 0.06  # until it is looked again whether what a figure needs is known


class _Cancelled(Exception):
    """Ends the thread's work from inside."""


@dataclass(eq=False)
class _Asked:
    """A question on its way to the main thread and back."""

    question: Question
    reading: Reading | None
    done: threading.Event = field(default_factory=threading.Event)
    answer: Any = None
    error: HeadscopeError | None = None


class ExportJob(QObject):
    """Works once.

    Args:
        source: what the work is of.
        work: called in the thread with a source whose questions may be asked there; what it returns is the
            result.

    Signals:
        progressed: so many bytes are written (object: they may be more than 32 bits hold).
        ended: what the work returned, the `HeadscopeError` that prevented it, or None when it was cancelled;
            once.
    """

    progressed = Signal(object)
    ended = Signal(object)
    _wanted = Signal(object)
    _finished = Signal(object)

    def __init__(
        self, source: Source, work: Callable[[Source], object], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._source, self._work = source, work
        self._known = source.known
        self._cancelled = threading.Event()
        self._over = False
        self._rested = 0.0
        self._wanted.connect(self._answer, Qt.ConnectionType.QueuedConnection)
        self._finished.connect(self._end, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._carry_out, name="export", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    @Slot()
    def cancel(self) -> None:
        """Give it up; a file of the same name stays as it was. Too late once it is there."""
        self._cancelled.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end without telling; whether it came."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def rest(self, *, asking: bool) -> None:
        """For the work itself, between two of its parts: it ends here if it was given up.

        Args:
            asking: what comes next is not known yet; wait a little.
        """
        if self._cancelled.wait(_ASKING_S if asking else 0):
            raise _Cancelled

    def _carry_out(self) -> None:
        result: object = None
        try:
            with watched(self._report):
                result = self._done()
        except _Cancelled:
            result = None
        except HeadscopeError as error:
            result = error
        except Exception as error:  # whatever it is, the window is told
            _log.exception("an export failed")
            result = HeadscopeError("internal", detail=f"{type(error).__name__}: {error}")
        self._finished.emit(result)

    def _done(self) -> object:
        known = None if self._known is None else self._ask
        while True:
            try:
                return self._work(replace(self._source, known=known))
            except HeadscopeError as error:
                if error.code != "export_waiting":
                    raise
            self.rest(asking=True)

    def _report(self, written: int) -> None:
        # Between two lines of a table, say, which are plain Python that would take the interpreter.
        if time.monotonic() - self._rested > _WORK_S:
            give_way(self._cancelled.is_set, _REST_S)
            self._rested = time.monotonic()
        if self._cancelled.is_set():
            raise _Cancelled
        self.progressed.emit(written)

    def _ask(self, question: Question, reading: Reading | None) -> Any:
        """See `Source.known`; in the thread."""
        asked = _Asked(question, reading)
        self._wanted.emit(asked)
        while not asked.done.wait(_ASKING_S):
            if self._cancelled.is_set():
                raise _Cancelled
        if asked.error is not None:
            raise asked.error
        return asked.answer

    @Slot(object)
    def _answer(self, asked: _Asked) -> None:
        assert self._known is not None
        try:
            asked.answer = self._known(asked.question, asked.reading)
        except HeadscopeError as error:
            asked.error = error
        asked.done.set()

    @Slot(object)
    def _end(self, result: object) -> None:
        if not self._over:
            self._over = True
            self.ended.emit(result)
