"""What the numbers of a pane are: weights, aggregates, what follows from them, or scores."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.buttons import MenuButton


class NumbersButton(MenuButton):
    """A menu of `viewer.state.selection.Numbers`; its text says which is shown."""

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(appearance)
        self._session = session
        self._pane = pane
        self.retranslate()

    def retranslate(self) -> None:
        """Take the language in force."""
        self.setText(self.tr("Weights"))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
