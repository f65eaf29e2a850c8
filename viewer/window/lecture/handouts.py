"""Handouts: a lecture saved as a PDF: every stop is gone to in turn, and what the window shows is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFileDialog, QProgressDialog, QWidget

from model.errors import HeadscopeError
from model.files.files import replace_bytes
from viewer.document.bookmarks import restored
from viewer.document.document import Bookmark
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.figures.building import build_figure
from viewer.figures.figure import AnyFigure
from viewer.guarded import Guarded
from viewer.window.exporting import Exporting
from viewer.window.pages import Pages
from viewer.window.scenes import WindowScenes
from viewer.window.settings import Settings

if TYPE_CHECKING:
    from viewer.export.handout import Handout

_LOOK_MS = 120  # for a page to lay itself out, and between two looks whether its figure is there
_MOST_LOOKS = 50  # then what there is of it is printed


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
        pages: Pages,
        exporting: Exporting,
        scenes: WindowScenes,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._pages = pages
        self._exporting = exporting
        self._scenes = scenes
        self._window = window
        self._handout: Handout | None = None
        self._path = ""
        self._marks: tuple[Bookmark, ...] = ()
        self._home: Bookmark | None = None
        self._looks = 0
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
        self._home = Bookmark("", session.pane(), self._scenes.scene())
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
        self._show()
        self._timer.start()

    def stop(self) -> None:
        """Give it up; nothing was written."""
        if self.busy:
            self._end()
            self.said.emit(self.tr("Cancelled: nothing was written"))

    def _show(self) -> None:
        assert self._handout is not None
        self._looks = 0
        mark = self._marks[self._handout.pages]
        self._session.edit(restored(self._session.document, mark))
        self._scenes.show(mark)

    def _look(self) -> None:
        """Take the figure in view if it is there, and go on to the next stop."""
        handout = self._handout
        if handout is None:
            return
        self._looks += 1
        patient = self._looks < _MOST_LOOKS
        if patient and (self._session.loading is not None or self._session.job.busy):
            return
        figure = self._figure()
        if figure is None and patient and self._looks < _MOST_LOOKS // 5:
            return
        mark, count = self._marks[handout.pages], len(self._marks)
        try:
            foot = self.tr("{number} of {count}").format(number=handout.pages + 1, count=count)
            handout.add(mark.name, mark.note, self._grabbed() if figure is None else figure, foot)
            if self._dialog is not None:
                self._dialog.setValue(handout.pages)
            if handout.pages < count:
                self._show()
                return
            replace_bytes(self._path, handout.data())
        except HeadscopeError as error:
            self._session.set_notice(Notice.of(error))
        else:
            self._settings.folder = str(Path(self._path).parent)
            self.said.emit(self.tr("Saved {name}").format(name=Path(self._path).name))
        self._end()

    def _figure(self) -> AnyFigure | None:
        """What an export of the window would draw now; None where there is no figure, or not yet."""
        exporting, page = self._exporting, self._pages.in_view
        if page is not self._pages.look and (page not in exporting.pages or page.figure is None):
            return None
        try:
            return build_figure(self._exporting.context().source, self._exporting.request())
        except HeadscopeError:
            return None

    def _grabbed(self) -> QPixmap:
        return self._pages.in_view.grab()

    def _end(self) -> None:
        self._timer.stop()
        handout, self._handout = self._handout, None
        if handout is not None:
            handout.close()
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            dialog.hide()
            dialog.deleteLater()
        home, self._home = self._home, None
        if home is not None:
            mark = home
            self._session.edit(restored(self._session.document, mark))
            self._scenes.show(mark)
