"""`KnownTabs`: which of a model's several positions are looked at: the encoder's or the decoder's."""

from __future__ import annotations

from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget

from viewer.document.positions.positions_choice import PositionsChoice
from viewer.document.positions.positions_known import KnownPositions, names_of
from viewer.pages.widgets.buttons import tab_button
from viewer.pages.widgets.worded import Worded


class KnownTabs(Worded, QWidget):
    """A tab for each; nothing where there is only one."""

    def __init__(self, choice: PositionsChoice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choice = choice
        self._known: tuple[KnownPositions, ...] = ()
        self._group = QButtonGroup(self)
        self.tabs: list[QToolButton] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 12, 0)
        self._row.setSpacing(2)
        self._group.idClicked.connect(choice.look_at)
        choice.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what there is, and which of it is in view."""
        known = self._choice.known
        if known is not self._known:
            self._known = known
            for tab in self.tabs:
                self._group.removeButton(tab)
                self._row.removeWidget(tab)
                tab.deleteLater()
            self.tabs = [tab_button(self._group, index) for index in range(len(known))]
            for tab in self.tabs:
                tab.setProperty("framed", True)
                self._row.addWidget(tab)
        for tab, name in zip(self.tabs, names_of(known), strict=True):
            tab.setText(name)
        if self.tabs:
            self.tabs[self._choice.which].setChecked(True)

    def show_where(self, useful: bool) -> None:
        """Show the tabs where there are several and something depends on them."""
        self.setVisible(useful and len(self._choice.known) > 1)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.refresh()
