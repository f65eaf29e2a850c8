"""`Desk`: one window in which the tests of a file work one after the other, each from the same beginning."""

from __future__ import annotations

import contextlib
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.assets import SENTENCE
from tests.viewer.driving import ROOMY, Driver, start
from tests.viewer.starts import Starts
from viewer.document.run_source import RunSource


class Looks:
    """Font, palette and style sheet of the application, to be put back."""

    def __init__(self) -> None:
        self._font, self._palette = QFont(QApplication.font()), QPalette(QApplication.palette())

    def restore(self) -> None:
        """A window sets them, by which the next one would measure its own, and Qt style it at each step."""
        application = QApplication.instance()
        if isinstance(application, QApplication) and application.styleSheet():
            application.setStyleSheet("")
        if QApplication.palette() != self._palette:
            QApplication.setPalette(self._palette)
        if QApplication.font() != self._font:
            QApplication.setFont(self._font)


class Desk(Driver):
    """A window with the tiny model and the translation of `SENTENCE`."""

    def __init__(self, qtbot: QtBot, folder: Path, bundle: Path) -> None:
        self._looks = Looks()
        self.starts = Starts()
        super().__init__(qtbot, start(qtbot, folder).program)
        self.open(bundle)
        self.translate(SENTENCE)
        self._document, self._decoding = self.session.document, self.session.decoding.to_bytes()
        self._sizes = {
            name: splitter.saveState()
            for name, splitter in self.page.division.splitters(small=self.page.room.small).items()
        }

    def begin_again(self) -> None:
        """The Look page with that translation alone, nothing open, the keys with the picture."""
        session, page, window = self.session, self.page, self.window
        session.set_playing(False)
        self.wait(lambda: not session.job.busy)
        session.set_document(self._document, SENTENCE)
        session.restore_decoding(self._decoding)
        session.set_notice(None)
        window.pages.show_page(0)
        window.resize(*ROOMY)
        page.show_panels("", "next_word")
        for name, splitter in page.division.splitters(small=page.room.small).items():
            splitter.restoreState(self._sizes[name])
        window.status.show_read_out("")
        window.activateWindow()
        window.keys.to_picture()
        QApplication.processEvents()

    def close(self) -> None:
        """Close the window; nothing that was started while it was open goes on."""
        self.window.close()
        assert self.program.ended
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        self._looks.restore()
        left = self.starts.running()
        assert not left, f"left behind: {left}"


class Room:
    """Of a file of tests: has its desk, until a test works without it."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self._qtbot, self._folder = qtbot, folder
        self.desk: Desk | None = None
        self.spoiled = False

    def take_desk(self, bundle: Path) -> Desk:
        """The desk as it was at first; where a test has failed, a new one."""
        if self.spoiled:
            self.spoiled = False
            with contextlib.suppress(AssertionError):
                self.clear()
        if self.desk is None:
            self.desk = Desk(self._qtbot, self._folder, bundle)
        else:
            self.desk.begin_again()
        return self.desk

    def clear(self) -> None:
        """Close the desk, if there is one."""
        desk, self.desk = self.desk, None
        if desk is not None:
            desk.close()


def opened(desk: Desk) -> list[str]:
    """Names of the trace files that are runs."""
    runs = [run for run in desk.session.document.runs if run.provenance["source"] == RunSource.FILE]
    return [Path(str(run.provenance["path"])).name for run in runs]
