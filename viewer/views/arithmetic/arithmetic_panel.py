"""One cell worked out: q, k, ÷ √e, mask, softmax, times v, W_O."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from viewer.state.session import Session
from viewer.views.appearance import Appearance


class ArithmeticPanel(QWidget):
    """One cell worked out: q, k, ÷ √e, mask, softmax, times v, W_O."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._look = appearance
        self.retranslate()

    @property
    def least_width(self) -> int:
        """The least width that the panel is legible at."""
        return self._look.px(250)

    def retranslate(self) -> None:
        """Take the language in force."""

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
