"""A set of files written while the window goes on, one after the other, each in a thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from model.errors import HeadscopeError
from viewer.export.export_job import ExportJob
from viewer.export.sets import Member
from viewer.export.writers import written

_PAUSE_MS = 4  # between two files, for whatever else the window has to do
_ASKING_MS = 60  # until it is looked again whether there is a figure


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
        self._done, self._written = 0, 0
        self._over = self._cancelled = False
        self._file: ExportJob | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._go_on)

    def start(self) -> None:
        """Begin, behind what the event loop has to do."""
        self._timer.start()

    @Slot()
    def cancel(self) -> None:
        """Write no more; the file under way is given up first, whose thread speaks to the last."""
        self._cancelled = True
        if self._file is None:
            self._end(None)
        else:
            self._file.cancel()

    def wait(self, seconds: float) -> bool:
        """Wait for the file under way without telling; whether it came to its end."""
        return self._file is None or self._file.wait(seconds)

    @Slot()
    def _go_on(self) -> None:
        if self._over:
            return
        if self._done == len(self._members):
            self._end(None)
            return
        member = self._members[self._done]
        try:
            found = member.figure()
        except HeadscopeError as error:
            if error.code == "export_waiting":
                self._timer.start(_ASKING_MS)
            else:
                self._end(error)
            return
        if found is None:
            self._next()
            return
        source, request = found
        self._file = ExportJob(source, partial(written, request, member.path(self._path)), self)
        self._file.ended.connect(self._file_ended)
        self._file.start()

    @Slot(object)
    def _file_ended(self, result: object) -> None:
        if self._file is not None:
            self._file.deleteLater()
            self._file = None
        if isinstance(result, HeadscopeError):
            self._end(result)
            return
        self._written += result is not None
        if self._cancelled:
            self._end(None)
        elif result is not None:
            self._next()

    def _next(self) -> None:
        self._done += 1
        self.progressed.emit(self._done, len(self._members))
        if not self._over:  # a dialog that shows it looks for its button there, and may be gone with this job
            self._timer.start(_PAUSE_MS)

    def _end(self, error: HeadscopeError | None) -> None:
        if self._over:
            return
        self._over = True
        self._timer.stop()
        self.ended.emit(WrittenSet(self._written, len(self._members), error))
