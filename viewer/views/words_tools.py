"""Above the words: whom the chosen token reads, or who reads it."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QButtonGroup, QWidget

from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.buttons import elastic, label, tab_button
from viewer.views.linking import adjust_view
from viewer.views.overflow_row import STAYS, OverflowRow


class WordsTools(OverflowRow):
    """Two buttons of which one is down."""

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(appearance, parent, spacing=2)
        self._session = session
        self._pane = pane
        self._group = QButtonGroup(self)
        self.of, self.to = (tab_button(self._group, index) for index in range(2))
        self.hint = elastic(label("small"))
        for button in (self.of, self.to):
            button.setProperty("framed", True)
            self.add(button)
        self.add_space(8)
        self.add(self.hint, 1, rank=STAYS)
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
