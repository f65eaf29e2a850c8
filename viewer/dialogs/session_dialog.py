"""`SessionDialog`: where to save a session, a folder; file dialogs go into one instead of saving over it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from viewer.document.files.session_file import SUFFIX, is_session
from viewer.guarded import Guarded
from viewer.pages.widgets.question import agreed

_EXISTS = "%1 already exists.\nDo you want to replace it?"  # Qt's own words, in its own translation


class SessionDialog(Guarded, QFileDialog):
    """Asks for a name; a session that is there may be chosen by name, by a click or by a double click.

    Args:
        start: folder that is proposed.

    Attributes:
        chosen: the folder, once accepted.
    """

    def __init__(self, title: str, kinds: str, start: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent, title, str(start.parent), kinds)
        self.chosen: Path | None = None
        self.setOption(QFileDialog.Option.DontUseNativeDialog)
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setFileMode(QFileDialog.FileMode.AnyFile)
        edit = self.findChild(QLineEdit, "fileNameEdit")
        assert isinstance(edit, QLineEdit)
        self.name = edit
        self.name.setText(start.name)
        self.directoryEntered.connect(self._entered)

    def accept(self) -> None:
        """Take the name, after a question if there is a session of that name; into other folders go."""
        path = self._named()
        if path is None:
            return
        if path.is_dir() and path.suffix != SUFFIX and not is_session(path):
            self.setDirectory(str(path))
            self.name.clear()
            return
        ours = path.suffix == SUFFIX or is_session(path)
        place = path if ours else path.with_name(path.name + SUFFIX)
        if place.exists() and not self._replaced(place.name):
            return
        self.chosen = place
        self.done(QFileDialog.DialogCode.Accepted)

    def _named(self) -> Path | None:
        """The path that is named; None for nothing."""
        name = self.name.text().strip()
        path = Path(self.directory().absolutePath(), name)
        return path if name and path.name else None

    def _replaced(self, name: str) -> bool:
        text = QCoreApplication.translate("QFileDialog", _EXISTS).replace("%1", name)
        return agreed(self, self.windowTitle(), text, warns=True)

    def _entered(self, folder: str) -> None:
        """A session is nothing to go into: it is meant."""
        if is_session(folder):
            path = Path(folder)
            self.setDirectory(str(path.parent))
            self.name.setText(path.name)
