"""Save session: asks where, and writes while the window goes on."""

from __future__ import annotations

import itertools
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QProgressDialog, QWidget

from model.errors import HeadscopeError
from viewer.dialogs.session_dialog import SessionDialog
from viewer.keeping.saving import Saving
from viewer.settings import Settings
from viewer.state.notice import Notice
from viewer.state.session import Session
from viewer.state.session_file import SUFFIX, ModelRef
from viewer.views.plain_tip import plain

_LAST_WAIT_S = 60.0
_SOON_MS = 500
_PARTS = 1000  # a progress bar counts in 32 bits


class SessionSaving(QObject):
    """Answers "Save session"; a failure becomes the session's notice.

    Attributes:
        jobs: what is being written.

    Signals:
        said: a sentence about what was done, for the status line.
    """

    said = Signal(str)

    def __init__(self, session: Session, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._window = window
        self.jobs: list[Saving] = []
        self.dialog: SessionDialog | None = None

    def ask(self) -> None:
        """Ask for a name and save what is looked at, to be opened again."""
        translate = QCoreApplication.translate
        title = translate("Exporting", "Save session")
        kinds = translate("Exporting", "Sessions (*{suffix})").format(suffix=SUFFIX)
        self.dialog = SessionDialog(title, kinds, self._proposed(), self._window)
        self.dialog.accepted.connect(self._chosen)
        self.dialog.finished.connect(self.dialog.deleteLater)
        self.dialog.open()

    def save(self, folder: Path) -> None:
        """Write what is looked at now, in the background."""
        session, info = self._session, self._session.model
        text = QCoreApplication.translate("Exporting", "Writing {name}").format(name=folder.name)
        cancel = QCoreApplication.translate("Exporting", "Cancel")
        dialog = QProgressDialog(plain(text), cancel, 0, _PARTS, self._window)
        dialog.setWindowTitle(QCoreApplication.translate("Exporting", "Save session"))
        dialog.setMinimumDuration(_SOON_MS)
        dialog.setAutoClose(False)
        dialog.setAutoReset(False)
        model = None if info is None else ModelRef.of(info)
        job = Saving(folder, session.document, session.text, model, dialog)
        dialog.canceled.connect(job.cancel)
        job.progressed.connect(self._progressed)
        job.ended.connect(self._ended)
        self.jobs.append(job)
        job.start()

    def stop(self) -> None:
        """The window closes: what is being saved is saved first."""
        for job in self.jobs:
            job.wait(_LAST_WAIT_S)

    def _proposed(self) -> Path:
        if self._session.folder:
            return Path(self._session.folder)
        places = (Path(self._settings.folder) / f"session{mark}{SUFFIX}" for mark in _marks())
        return next(place for place in places if not place.exists())

    def _chosen(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None and dialog.chosen is not None:
            self.save(dialog.chosen)

    def _progressed(self, done: int, total: int) -> None:
        dialog = dialog_of(self.sender())
        if dialog is not None:
            dialog.setValue(_PARTS * done // max(1, total))

    def _ended(self, result: Path | HeadscopeError | None) -> None:
        job = self.sender()
        self.jobs = [other for other in self.jobs if other is not job]
        dialog = dialog_of(job)
        if dialog is not None:
            dialog.hide()
            dialog.deleteLater()
        if isinstance(result, HeadscopeError):
            self._session.set_notice(Notice.of(result))
        elif result is None:
            self.said.emit(QCoreApplication.translate("Exporting", "Cancelled: nothing was written"))
        else:
            self._session.folder = str(result)
            self._settings.folder = str(result.parent)
            self._settings.remember_recent(str(result))
            saved = QCoreApplication.translate("Exporting", "Saved {name}")
            self.said.emit(saved.format(name=result.name))


def _marks() -> itertools.chain[str]:
    return itertools.chain([""], (f"-{number}" for number in itertools.count(2)))


def dialog_of(job: QObject | None) -> QProgressDialog | None:
    """The dialog that shows a job."""
    parent = None if job is None else job.parent()
    return parent if isinstance(parent, QProgressDialog) else None
