"""The drawer below the maps: Branches and Compare, behind a row of tabs that stays when it is closed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.branches.branches_panel import BranchesPanel
from viewer.views.buttons import tab_button
from viewer.views.compare.compare_panel import ComparePanel


class Drawer(QWidget):
    """A click on the tab of the panel in view closes the drawer; a click on any tab opens it.

    Signals:
        toggled: it was opened or closed.
    """

    toggled = Signal(bool)

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.branches = BranchesPanel(session, appearance)
        self.compare = ComparePanel(session, appearance)
        self.panels: tuple[QWidget, ...] = (self.branches, self.compare)
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self.tabs: list[QToolButton] = [tab_button(self._group, index) for index in range(len(self.panels))]
        self._stack = QStackedWidget()
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for tab, panel in zip(self.tabs, self.panels, strict=True):
            row.addWidget(tab)
            self._stack.addWidget(panel)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self._stack, 1)
        self._stack.hide()
        self._group.idClicked.connect(self._clicked)
        self.retranslate()

    @property
    def is_open(self) -> bool:
        """Whether a panel is shown."""
        return not self._stack.isHidden()

    def show_panel(self, index: int | None) -> None:
        """Show Branches (0) or Compare (1), or close the drawer (None)."""
        was = self.is_open
        if index is not None:
            self._stack.setCurrentIndex(index)
        self._stack.setVisible(index is not None)
        for place, tab in enumerate(self.tabs):
            tab.setChecked(place == index)
        if was != self.is_open:
            self.toggled.emit(self.is_open)

    def retranslate(self) -> None:
        """Take the language in force."""
        for tab, name in zip(self.tabs, (self.tr("Branches"), self.tr("Compare")), strict=True):
            tab.setText(name)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _clicked(self, index: int) -> None:
        self.show_panel(None if self.is_open and self._stack.currentIndex() == index else index)
