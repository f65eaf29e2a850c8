"""Writing: files, sets, animations and pictures for the clipboard, while the window goes on.

What writes files is imported when something is written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QProgressDialog, QWidget
from shiboken6 import isValid

from model.errors import HeadscopeError
from model.files.files import amount
from model.trace.npz_write import save_named
from viewer.document.deeds import Deed
from viewer.document.document import Run
from viewer.figures.request import ExportRequest, Source
from viewer.pages.widgets.plain_tip import plain
from viewer.window.progress import progress_over, show_progress
from viewer.window.recorder import Recorder
from viewer.window.session_saving import dialog_of
from viewer.window.settings import Settings

if TYPE_CHECKING:
    from viewer.dialogs.export_dialog import ExportChoice
    from viewer.export.animation_job import Written
    from viewer.export.clipboard import Drawn
    from viewer.export.set_job import WrittenSet

_LAST_WAIT_S = 10.0


class Job(Protocol):
    """Something that is being written: an `ExportJob`, `SetJob` or `AnimationJob`."""

    def start(self) -> None:
        """Begin."""

    def cancel(self) -> None:
        """Give it up."""

    def wait(self, seconds: float) -> bool:
        """Wait for its thread, if it has one; whether that has ended."""


class Writing(QObject):
    """Writes, shows how far it is, and tells what became of it.

    Args:
        source: what there is to export now.
        over: the window or the dialog that progress is shown over.

    Attributes:
        jobs: what is being written.
        left: called when a set is written, which may have led through the window.

    Signals:
        said: a sentence about what was done.
        failed: the `HeadscopeError` that prevented it.
    """

    said = Signal(str)
    failed = Signal(object)

    def __init__(
        self,
        source: Callable[[], Source],
        settings: Settings,
        recorder: Recorder,
        over: Callable[[], QWidget],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._source, self._settings, self._recorder, self._over = source, settings, recorder, over
        self.jobs: list[Job] = []
        self.left: Callable[[], None] = lambda: None
        self._deeds: dict[Job, Deed] = {}

    # What is asked.

    def copy(self, request: ExportRequest) -> None:
        """Put a figure on the clipboard, once it is drawn."""
        from viewer.export.clipboard import drawn

        self._draw(partial(drawn, request), self._source())

    def draw(self, work: Callable[[Source], object]) -> None:
        """Put on the clipboard what is drawn so, as a `Drawn`, of no run; in a thread, see `ExportJob`."""
        self._draw(work, Source())

    def _draw(self, work: Callable[[Source], object], source: Source) -> None:
        from viewer.export.export_job import ExportJob

        dialog = self._progress(self.tr("Copying the picture"))
        job = ExportJob(source, work, dialog)
        job.ended.connect(self._copied)
        self._begin(job, dialog)

    def make(self, path: str, work: Callable[[Source], object]) -> None:
        """Make a file so, of no run; `work` gives its path, in a thread, see `ExportJob`."""
        self._make(path, work, Source())

    def save_trace(self, run: Run, path: str) -> None:
        """Write a run's trace."""
        from viewer.export.export_job import ExportJob

        def saved(source: Source) -> str:
            save_named(source.need_trace(), path)
            return path

        dialog = self._progress(self._writing(path))
        job = ExportJob(Source(trace=run.trace), saved, dialog)
        self._deeds[job] = self._recorder.trace_saved(run, path)
        job.progressed.connect(self._wrote)
        job.ended.connect(self._trace_saved)
        self._begin(job, dialog)

    def write(self, choice: ExportChoice) -> None:
        """Write a file, or a set of them."""
        from viewer.export.animation import ANIMATIONS
        from viewer.export.writers import file_format, written

        if choice.members:
            self._write_set(choice)
            return
        if file_format(choice.path) in ANIMATIONS:
            self._animate(choice)
            return
        work = partial(written, choice.request, choice.path)
        self._make(choice.path, work, self._source(), choice)

    def _make(
        self,
        path: str,
        work: Callable[[Source], object],
        source: Source,
        choice: ExportChoice | None = None,
    ) -> None:
        from viewer.export.export_job import ExportJob

        dialog = self._progress(self._writing(path))
        job = ExportJob(source, work, dialog)
        job.progressed.connect(self._wrote)
        job.ended.connect(self._written)
        self._begin(job, dialog, choice)

    def _animate(self, choice: ExportChoice) -> None:
        """Write an animation while the window goes on, with a way to give it up."""
        from viewer.export.animation_job import AnimationJob

        dialog = self._progress(self._writing(choice.path))
        job = AnimationJob(self._source(), choice.request, choice.path, dialog)
        job.progressed.connect(self._progressed)
        job.ended.connect(self._animated)
        self._begin(job, dialog, choice)

    def _write_set(self, choice: ExportChoice) -> None:
        """The same of a set of files."""
        from viewer.export.set_job import SetJob

        dialog = self._progress(self._writing(choice.path))
        job = SetJob(choice.members, choice.path, dialog)
        job.progressed.connect(self._progressed)
        job.ended.connect(self._set_written)
        self._begin(job, dialog, choice)

    def stop(self) -> None:
        """Give up what is being written: the window closes."""
        for job in list(self.jobs):
            job.cancel()
        for job in list(self.jobs):
            job.wait(_LAST_WAIT_S)

    # What becomes of it.

    def _copied(self, result: Drawn | HeadscopeError | None) -> None:
        from viewer.export.clipboard import Drawn, picture_mime

        self._ended()
        if isinstance(result, Drawn):
            QGuiApplication.clipboard().setMimeData(picture_mime(result))
            self.said.emit(self.tr("Picture copied"))
        elif result is not None:
            self.failed.emit(result)
        else:
            self.said.emit(self.tr("Cancelled: nothing was copied"))

    def _trace_saved(self, result: str | HeadscopeError | None) -> None:
        if isinstance(result, str):
            self._settings.folder = str(Path(result).parent)
            self._settings.remember_recent(result)
        self._written(result)

    def _writing(self, path: str) -> str:
        return self.tr("Writing {name}").format(name=Path(path).name)

    def _wrote(self, size: int) -> None:
        """So many bytes of one file; how many there will be nobody knows."""
        dialog = dialog_of(self.sender())
        if dialog is not None and isinstance(self.sender(), QObject):
            dialog.setMaximum(0)
            dialog.setLabelText(f"{dialog.property('text')} ({amount(size)})")

    def _written(self, result: str | HeadscopeError | None) -> None:
        deed = self._ended()
        if isinstance(result, str):
            self._note(deed)
            self.said.emit(self.tr("Saved {name}").format(name=Path(result).name))
        elif result is not None:
            self.failed.emit(result)
        else:
            self.said.emit(self.tr("Cancelled: nothing was written"))

    def _progress(self, text: str) -> QProgressDialog:
        """Shown if it takes long."""
        over = self._over()
        dialog = progress_over(over, self.tr("Export"), text, self.tr("Cancel"))
        dialog.setProperty("text", plain(text))
        if isinstance(over, QDialog):  # which is not to be closed meanwhile
            dialog.setWindowModality(Qt.WindowModality.WindowModal)
            over.finished.connect(partial(_outlive, dialog))  # but may be, before this one is shown
        return dialog

    def _deed(self, choice: ExportChoice) -> Deed:
        """What the recorder is to be told of it, as the window is now."""
        from viewer.export.writers import file_format

        return self._recorder.deed(choice.request, choice.path, file_format(choice.path), choice.each)

    def _note(self, deed: Deed | None) -> None:
        if deed is not None:
            self._recorder.note(deed)

    def _begin(self, job: Job, dialog: QProgressDialog, choice: ExportChoice | None = None) -> None:
        deed = None if choice is None else self._deed(choice)
        if deed is not None:
            self._deeds[job] = deed
        dialog.canceled.connect(job.cancel)
        self.jobs.append(job)
        job.start()

    def _ended(self) -> Deed | None:
        """The job that speaks is over; what it did, if it did."""
        job: object = self.sender()
        deed = next((self._deeds.pop(one) for one in list(self._deeds) if one is job), None)
        self.jobs = [other for other in self.jobs if other is not job]
        dialog = dialog_of(job)
        if dialog is not None:
            dialog.hide()
            dialog.deleteLater()
        return deed

    def _set_written(self, result: WrittenSet) -> None:
        deed = self._ended()
        if result.files == result.total:
            self._note(deed)
        self.left()
        text = self.tr("Saved {files} of {total} files").format(files=result.files, total=result.total)
        if result.error is not None:
            self.failed.emit(result.error)
        else:
            self.said.emit(text)

    def _progressed(self, done: int, total: int) -> None:
        dialog = dialog_of(self.sender())
        if dialog is not None:
            show_progress(dialog, done, total)

    def _animated(self, result: Written | HeadscopeError | None) -> None:
        from viewer.export.animation_job import Written

        deed = self._ended()
        if isinstance(result, Written):
            self._note(deed)
            text = self.tr("Saved {name}: {frames} frames, {size}")
            name, size = Path(result.path).name, amount(result.size)
            self.said.emit(text.format(name=name, frames=result.frames, size=size))
        elif result is not None:
            self.failed.emit(result)
        else:
            self.said.emit(self.tr("Cancelled: nothing was written"))


def _outlive(dialog: QProgressDialog, _: int) -> None:
    """What asked for an export goes; what shows how far that is stays over the window, with its job."""
    asked = dialog.parentWidget() if isValid(dialog) else None
    if asked is not None:
        dialog.setWindowModality(Qt.WindowModality.NonModal)
        dialog.setParent(asked.parentWidget(), dialog.windowFlags())
