"""The What if tab: the changes made to the model, and what became of the translation."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from viewer.state.session import Session
from viewer.views.appearance import Appearance


class WhatIfPanel(QWidget):
    """Changes of the run in view, made beside the untouched run."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._look = appearance
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 10, 12)

    def retranslate(self) -> None:
        """Take the language in force."""
