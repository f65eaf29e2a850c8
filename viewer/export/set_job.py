"""A set of files written while the window goes on: one file whenever the event loop is idle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from model.errors import HeadscopeError
from viewer.export.sets import Member
from viewer.export.writers import write_export

_PAUSE_MS = 4  # between two files, for whatever else the window has to do
_ASKING_MS = 60  # until it is looked again whether what a file needs is known


@dataclass(frozen=True)
class WrittenSet:
    """What was written: how many files of how many, and the error that ended it, if one did."""

    files: int
    total: int
    error: HeadscopeError | None = None


class SetJob(QObject):
    """Writes the files of a set one after the other; those written stay when it is cancelled.

    A member without a figure has no file.

    Signals:
        progressed: files done and in all.
        ended: a `WrittenSet`; once.
    """

    progressed = Signal(int, int)
    ended = Signal(object)

    def __init__(self, members: Sequence[Member], path: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._members, self._path = members, path
        self._done, self._written, self._over = 0, 0, False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._go_on)

    def start(self) -> None:
        """Begin, behind what the event loop has to do."""
        self._timer.start()

    @Slot()
    def cancel(self) -> None:
        """Write no more."""
        self._end(None)

    @Slot()
    def _go_on(self) -> None:
        if self._done == len(self._members):
            self._end(None)
            return
        member = self._members[self._done]
        try:
            found = member.figure()
            if found is not None:
                write_export(*found, member.path(self._path))
                self._written += 1
        except HeadscopeError as error:
            if error.code == "export_waiting":
                self._timer.start(_ASKING_MS)
            else:
                self._end(error)
            return
        self._done += 1
        self.progressed.emit(self._done, len(self._members))
        self._timer.start(_PAUSE_MS)

    def _end(self, error: HeadscopeError | None) -> None:
        if self._over:
            return
        self._over = True
        self._timer.stop()
        self.ended.emit(WrittenSet(self._written, len(self._members), error))
