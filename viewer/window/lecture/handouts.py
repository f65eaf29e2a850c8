"""Handouts: a lecture saved as a PDF: every stop is gone to in turn, and what the window shows is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QProgressDialog, QWidget

from model.errors import HeadscopeError
from model.files.files import replace_bytes
from viewer.document.document import Bookmark
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.guarded import Guarded
from viewer.window.lecture.stops import Stops
from viewer.window.progress import show_progress
from viewer.window.settings import Settings

if TYPE_CHECKING:
    from viewer.export.handout import Handout

_LOOK_MS = 60  # between two looks whether the figure of a stop is there


class Handouts(Guarded, QObject):
    """Writes a page for every bookmark; afterwards the window is where it was.

    Signals:
        said: a sentence about what was done, for the status line.
    """

    said = Signal(str)

    def __init__(
        self,
        session: Session,
        settings: Settings,
        stops: Stops,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._stops = stops
        self._window = window
        self._handout: Handout | None = None
        self._path = ""
        self._marks: tuple[Bookmark, ...] = ()
        self._dialog: QProgressDialog | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def busy(self) -> bool:
        """Whether one is being written."""
        return self._handout is not None

    def ask(self) -> None:
        """Ask for a name and write the handout."""
        if self.busy or not self._session.bookmarks.all:
            return
        start = str(Path(self._settings.folder) / "handout.pdf")
        path, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save a handout"), start, "PDF (*.pdf)")
        if path:
            self.write(path)

    def write(self, path: str) -> None:
        """Begin; the window goes on, with a way to give it up."""
        from viewer.export.handout import Handout

        session = self._session
        self._marks = session.bookmarks.all
        try:
            self._handout = Handout(Path(path).stem)
        except HeadscopeError as error:
            session.set_notice(Notice.of(error))
            return
        self._path = path
        dialog = QProgressDialog(
            self.tr("Writing the handout"), self.tr("Cancel"), 0, len(self._marks), self._window
        )
        dialog.setWindowTitle(self.tr("Handout"))
        dialog.setAutoClose(False)
        dialog.setAutoReset(False)
        dialog.setMinimumDuration(0)
        dialog.canceled.connect(self.stop)
        dialog.setValue(0)
        self._dialog = dialog
        self._timer.start()

    def stop(self) -> None:
        """Give it up; nothing was written."""
        if self.busy:
            self._end()
            self.said.emit(self.tr("Cancelled: nothing was written"))

    def _look(self) -> None:
        """Take the figure in view if it is there, and go on to the next stop."""
        handout = self._handout
        if handout is None:
            return
        mark, count = self._marks[handout.pages], len(self._marks)
        taken = self._stops.take(mark)
        if taken is None:
            return
        shown = self._stops.grabbed() if taken.figure is None else taken.figure
        try:
            foot = self.tr("{number} of {count}").format(number=handout.pages + 1, count=count)
            handout.add(mark.name, mark.note, shown, foot)
            if self._dialog is not None:
                show_progress(self._dialog, handout.pages, count)
            if handout.pages < count:
                return
            replace_bytes(self._path, handout.data())
        except HeadscopeError as error:
            self._session.set_notice(Notice.of(error))
        except BaseException:
            self._end()  # or the next look would raise it again
            raise
        else:
            self._settings.folder = str(Path(self._path).parent)
            reason = self.tr("Bookmarks belong to the window: no command can read them.")
            self._session.deeds.note(self._path, reason=reason)
            self.said.emit(self.tr("Saved {name}").format(name=Path(self._path).name))
        self._end()

    def _end(self) -> None:
        self._timer.stop()
        handout, self._handout = self._handout, None
        if handout is not None:
            handout.close()
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            dialog.hide()
            dialog.deleteLater()
        self._stops.leave()
