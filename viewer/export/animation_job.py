"""An animation written while the window goes on: a frame is drawn whenever the event loop is idle."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from model.errors import HeadscopeError
from viewer.export.animation import FrameProgress, animate
from viewer.export.writers import file_format
from viewer.figures.request import ExportRequest, Source

_ASKING_MS = 60  # until it is looked again whether what a frame needs is known
_PAUSE_MS = 4  # between two frames, for whatever else the window has to do


@dataclass(frozen=True)
class Written:
    """What was written: how many frames, and the size of the file in bytes."""

    path: str
    frames: int
    size: int


class AnimationJob(QObject):
    """Writes one animation. Drawing needs the main thread's fonts and figures; a thread compresses.

    Signals:
        progressed: units done and in all.
        ended: `Written`, the `HeadscopeError` that prevented it, or None when it was cancelled; once.
    """

    progressed = Signal(int, int)
    ended = Signal(object)

    def __init__(
        self, source: Source, request: ExportRequest, path: str, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._path = path
        self._work: Generator[FrameProgress, None, int] | None = animate(
            source, request, path, file_format(path)
        )
        self._last = FrameProgress(0, 1)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._go_on)

    def start(self) -> None:
        """Begin, behind what the event loop has to do."""
        self._timer.start()

    @Slot()
    def cancel(self) -> None:
        """Give it up; a file of the same name stays as it was."""
        if self._work is not None:
            self._end(None)

    def wait(self, seconds: float) -> bool:
        """No thread of its own goes on once it is cancelled."""
        return True

    @Slot()
    def _go_on(self) -> None:
        work, waiting = self._work, self._last.waiting
        if work is None:
            return
        if waiting is not None and not waiting.done():
            self._timer.start()
            return
        try:
            self._last = next(work)
        except StopIteration as end:
            self._end(Written(self._path, int(end.value), Path(self._path).stat().st_size))
        except HeadscopeError as error:
            self._end(error)
        else:
            self.progressed.emit(self._last.done, self._last.total)
            if self._work is not None:  # as in `SetJob`
                self._timer.start(_ASKING_MS if self._last.asking else _PAUSE_MS)

    def _end(self, result: Written | HeadscopeError | None) -> None:
        self._timer.stop()
        work, self._work = self._work, None
        if work is not None:
            work.close()
        self.ended.emit(result)
