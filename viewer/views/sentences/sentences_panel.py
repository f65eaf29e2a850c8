"""The Sentences drawer."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from viewer.state.session import Session
from viewer.views.appearance import Appearance


class SentencesPanel(QWidget):
    """The Sentences drawer.

    Attributes:
        tools: what the drawer shows beside its tabs.
    """

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._look = appearance
        self.tools = QWidget()
        self.retranslate()

    def retranslate(self) -> None:
        """Take the language in force."""

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
