"""An animation written while the window goes on: drawn and compressed in the thread of an `ExportJob`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from viewer.export.animation import FrameProgress, animate, finished
from viewer.export.export_job import ExportJob
from viewer.export.writers import file_format
from viewer.figures.request import ExportRequest, Source


@dataclass(frozen=True)
class Written:
    """What was written: how many frames, and the size of the file in bytes."""

    path: str
    frames: int
    size: int


class AnimationJob(QObject):
    """Writes one animation.

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
        self._request, self._path = request, path
        self._job = ExportJob(source, self._write, self)
        self._job.ended.connect(self.ended)

    def start(self) -> None:
        """Begin."""
        self._job.start()

    @Slot()
    def cancel(self) -> None:
        """Give it up; a file of the same name stays as it was."""
        self._job.cancel()

    def wait(self, seconds: float) -> bool:
        """Wait for the end without telling; whether it came."""
        return self._job.wait(seconds)

    def _write(self, source: Source) -> Written:
        """In the thread."""
        work = animate(source, self._request, self._path, file_format(self._path))
        frames = finished(work, self._tell)
        return Written(self._path, frames, Path(self._path).stat().st_size)

    def _tell(self, progress: FrameProgress) -> None:
        """A frame further, or waiting for what a frame needs; ends the work if it was given up."""
        self._job.rest(asking=progress.asking)
        self.progressed.emit(progress.done, progress.total)
