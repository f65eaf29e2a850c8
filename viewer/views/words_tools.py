"""Above the words: whom the chosen token reads, or who reads it."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QWidget

from viewer.guarded import Guarded
from viewer.state.session import Session
from viewer.views.buttons import elastic, label, tab_button
from viewer.views.linking import adjust_view


class WordsTools(Guarded, QWidget):
    """Two buttons of which one is down."""

    def __init__(self, session: Session, pane: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._pane = pane
        self._group = QButtonGroup(self)
        self.of, self.to = (tab_button(self._group, index) for index in range(2))
        self.hint = elastic(label("small"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for button in (self.of, self.to):
            button.setProperty("framed", True)
            row.addWidget(button)
        row.addSpacing(8)
        row.addWidget(self.hint, 1)
        self._group.idClicked.connect(self._clicked)
        session.view_changed.connect(self.refresh)
        self.retranslate()

    def refresh(self) -> None:
        """Show which is chosen."""
        (self.to if self._session.view.incoming else self.of).setChecked(True)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.of.setText(self.tr("Reads"))
        self.of.setToolTip(
            self.tr("Shade the tokens by how much the chosen one reads them (a row of the map)")
        )
        self.to.setText(self.tr("Is read by"))
        self.to.setToolTip(
            self.tr("Shade the tokens by how much they read the chosen one (a column of the map)")
        )
        self.hint.setText(self.tr("Click a token, or use the arrow keys, to choose it."))
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _clicked(self, index: int) -> None:
        self._session.activate_pane(self._pane)
        adjust_view(self._session, "incoming", incoming=bool(index))
