"""Save session: asks where, and writes while the window goes on."""

from __future__ import annotations

import itertools
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtWidgets import QMessageBox, QProgressDialog, QWidget

from model.errors import HeadscopeError
from viewer.dialogs.session_dialog import SessionDialog
from viewer.document.files.session_file import SUFFIX
from viewer.document.files.session_left_out import LeftOut
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.services.saving import Saving
from viewer.window.progress import progress_over, show_progress
from viewer.window.settings import Settings

_LAST_WAIT_S = 60.0
_PARTS = 1000  # a progress bar counts in 32 bits


class SessionSaving(QObject):
    """Answers "Save session"; a failure becomes the session's notice.

    Attributes:
        jobs: what is being written.
        dialog, question: what is being asked.

    Signals:
        said: a sentence about what was done, for the status line.
        opened: the `SessionDialog` was made, and is about to be seen.
    """

    said = Signal(str)
    opened = Signal(object)

    def __init__(self, session: Session, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._window = window
        self.jobs: list[Saving] = []
        self.dialog: SessionDialog | None = None
        self.question: QMessageBox | None = None
        self._asked_for = Path()

    def ask(self) -> None:
        """Ask for a name and save what is looked at, to be opened again."""
        home = self._session.homes.of(self._session.document).folder
        self._ask_for(Path(home) if home else _free(Path(self._settings.folder) / f"session{SUFFIX}"))

    def _ask_for(self, proposed: Path) -> None:
        translate = QCoreApplication.translate
        title = translate("Exporting", "Save session")
        kinds = translate("Exporting", "Sessions (*{suffix})").format(suffix=SUFFIX)
        self.dialog = SessionDialog(title, kinds, proposed, self._window)
        self.dialog.accepted.connect(self._chosen)
        self.dialog.finished.connect(self.dialog.deleteLater)
        self.opened.emit(self.dialog)
        self.dialog.open()

    def save(self, folder: Path, *, over: bool = False) -> None:
        """Write what is looked at now, in the background.

        Args:
            over: over whatever lies there, even if another window has changed it since it was opened here.
        """
        session = self._session
        text = QCoreApplication.translate("Exporting", "Writing {name}").format(name=folder.name)
        cancel = QCoreApplication.translate("Exporting", "Cancel")
        title = QCoreApplication.translate("Exporting", "Save session")
        dialog = progress_over(self._window, title, text, cancel, _PARTS)
        job = Saving(
            folder,
            session.saved,
            session.text,
            session.homes.model_of(session.document, session.model),
            None if over else session.homes.of(session.document),
            dialog,
        )
        dialog.canceled.connect(job.cancel)
        job.progressed.connect(self._progressed)
        job.left_out.connect(self._left_out)
        job.ended.connect(self._ended)
        self.jobs.append(job)
        job.start()

    def stop(self) -> None:
        """The window closes: what is being saved is saved first."""
        for job in self.jobs:
            job.wait(_LAST_WAIT_S)

    def _chosen(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None and dialog.chosen is not None:
            self.save(dialog.chosen)

    def _progressed(self, done: int, total: int) -> None:
        dialog = dialog_of(self.sender())
        if dialog is not None:
            show_progress(dialog, _PARTS * done // max(1, total), _PARTS)

    def _left_out(self, left_out: LeftOut) -> None:
        if (notice := left_out.notice()) is not None:
            self._session.set_notice(notice)

    def _ended(self, result: Path | HeadscopeError | None) -> None:
        job = self.sender()
        self.jobs = [other for other in self.jobs if other is not job]
        dialog = dialog_of(job)
        if dialog is not None:
            dialog.hide()
            dialog.deleteLater()
        if isinstance(result, HeadscopeError):
            if result.code == "session_changed" and isinstance(job, Saving):
                self._ask_whether(job.folder, result)
            else:
                self._session.set_notice(Notice.of(result))
        elif result is None or not isinstance(job, Saving):
            self.said.emit(QCoreApplication.translate("Exporting", "Cancelled: nothing was written"))
        else:
            self._session.homes.settle(job.document, str(result), job.stamp)
            self._settings.folder = str(result.parent)
            self._settings.remember_recent(str(result))
            saved = QCoreApplication.translate("Exporting", "Saved {name}")
            self.said.emit(saved.format(name=result.name))

    def _ask_whether(self, folder: Path, error: HeadscopeError) -> None:
        """Another window has saved there since: nothing of it is written over unasked."""
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(QCoreApplication.translate("Exporting", "Save session"))
        box.setText(Notice.of(error).sentence())
        other = box.addButton(
            QCoreApplication.translate("Exporting", "Save as…"), QMessageBox.ButtonRole.AcceptRole
        )
        over = box.addButton(
            QCoreApplication.translate("Exporting", "Save over it"), QMessageBox.ButtonRole.DestructiveRole
        )
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(other)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        other.clicked.connect(self._save_beside)
        over.clicked.connect(self._save_over)
        self.question, self._asked_for = box, folder
        box.open()

    def _save_beside(self) -> None:
        self._ask_for(_free(self._asked_for))

    def _save_over(self) -> None:
        self.save(self._asked_for, over=True)


def _free(path: Path) -> Path:
    """The path, or if there is something, the first of `NAME-2`, `NAME-3`, … where there is nothing."""
    stem = path.name.removesuffix(SUFFIX)
    names = itertools.chain([path.name], (f"{stem}-{number}{SUFFIX}" for number in itertools.count(2)))
    return next(place for place in map(path.with_name, names) if not place.exists())


def dialog_of(job: object) -> QProgressDialog | None:
    """The dialog that shows a job."""
    parent = job.parent() if isinstance(job, QObject) else None
    return parent if isinstance(parent, QProgressDialog) else None
