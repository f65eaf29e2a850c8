"""The Branches drawer."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from viewer.state.session import Session
from viewer.views.appearance import Appearance


class BranchesPanel(QWidget):
    """The tree of all tokens decoded for the sentence, its details, and the runs."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._look = appearance
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 10, 12)

    def retranslate(self) -> None:
        """Take the language in force."""
