"""Ctrl+D: a name for the view."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from viewer.guarded import Guarded
from viewer.state.document import LONGEST_NAME
from viewer.state.session import Session
from viewer.views.buttons import label


class BookmarkNameDialog(Guarded, QDialog):
    """Suggests where the view is; Enter takes what stands there."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setWindowTitle(self.tr("Bookmark this view"))
        self.name = QLineEdit(session.bookmarks.default_name())
        self.name.setMaxLength(LONGEST_NAME)
        self.name.setMinimumWidth(340)
        self.name.selectAll()
        caption = label("", self.tr("Name:"))
        caption.setBuddy(self.name)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 14)
        for widget in (caption, self.name, buttons):
            column.addWidget(widget)

    def accept(self) -> None:
        """Make the bookmark."""
        self._session.bookmarks.add(self.name.text())
        super().accept()
