"""The inspector beside the maps: tabs for the next (or masked) word, a cell's arithmetic, and what-if."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMargins
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from viewer.guarded import Guarded
from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.arithmetic.arithmetic_panel import ArithmeticPanel
from viewer.views.buttons import tab_button
from viewer.views.masked.word_tab import WordTab
from viewer.views.overflow_row import OverflowRow
from viewer.views.what_if.what_if_panel import WhatIfPanel

NEXT_WORD, ARITHMETIC, WHAT_IF = range(3)
TABS = ("next_word", "arithmetic", "what_if")
"""Names of the tabs, as files know them."""

_SIDES = 24  # margins and gaps of the row of tabs


class Inspector(Guarded, QFrame):
    """One card with a row of tabs; its panels have no frame of their own."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = appearance
        self.setProperty("role", "card")
        self._stack = stack = QStackedWidget(self)
        self.words = WordTab(session, appearance, stack)
        self.next_word = self.words.next_word
        self.arithmetic = ArithmeticPanel(session, appearance, stack)
        self.what_if = WhatIfPanel(session, appearance, stack)
        self._group = QButtonGroup(self)
        self.panels: tuple[WordTab | ArithmeticPanel | WhatIfPanel, ...] = (
            self.words,
            self.arithmetic,
            self.what_if,
        )
        self.tabs = [tab_button(self._group, index) for index in range(len(self.panels))]
        row = OverflowRow(appearance, self, spacing=2)
        row.set_margins(QMargins(6, 0, 6, 0))
        for tab, panel in zip(self.tabs, self.panels, strict=True):
            tab.setProperty("framed", True)
            tab.setProperty("tight", True)
            row.add(tab)
            self._stack.addWidget(panel)
        row.add_stretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 8, 2, 2)
        column.setSpacing(0)
        column.addWidget(row)
        column.addWidget(self._stack, 1)
        self._group.idClicked.connect(self.show_tab)
        self.words.reading_changed.connect(self.retranslate)
        appearance.changed.connect(self._restyle)
        self._restyle()
        self.show_tab(0)
        self.retranslate()

    @property
    def tab(self) -> int:
        """Which panel is shown."""
        return self._stack.currentIndex()

    def show_tab(self, index: int) -> None:
        """Show a panel by its place: `NEXT_WORD`, `ARITHMETIC` or `WHAT_IF`."""
        self._stack.setCurrentIndex(index)
        self.tabs[index].setChecked(True)
        for place, panel in enumerate(self.panels):
            # A panel behind the one in view must not keep the card wide.
            wanted = QSizePolicy.Policy.Preferred if place == index else QSizePolicy.Policy.Ignored
            panel.setSizePolicy(wanted, QSizePolicy.Policy.Preferred)
        self._take_least()

    def _restyle(self) -> None:
        """Before an audience the map comes first: the tabs in smaller type than the rest."""
        for tab in self.tabs:
            tab.setProperty("small", self._look.present)
            tab.style().unpolish(tab)
            tab.style().polish(tab)
        self._take_least()

    def _take_least(self) -> None:
        tabs = sum(tab.sizeHint().width() for tab in self.tabs) + _SIDES
        self.setMinimumWidth(max(tabs, self.panels[self.tab].least_width))

    def retranslate(self) -> None:
        """Take the language in force."""
        word = self.tr("Masked word") if self.words.reads else self.tr("Next word")
        word = self.tr("Classes") if self.words.sorts else word
        names = (word, self.tr("Arithmetic"), self.tr("What if"))
        for tab, name in zip(self.tabs, names, strict=True):
            tab.setText(name)
        self._take_least()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange, QEvent.Type.LanguageChange):
            self._take_least()
