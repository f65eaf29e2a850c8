"""Inspector: the panels beside the maps, behind a row of tabs."""

from __future__ import annotations

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from viewer.document.session import Session
from viewer.pages.look.inspector_panels import INSPECTOR
from viewer.pages.look.panel import LookPanel
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import tab_button
from viewer.pages.widgets.overflow_row import OverflowRow
from viewer.pages.widgets.worded import Worded

_SIDES = 24  # margins and gaps of the row of tabs


class Inspector(Worded, QFrame):
    """One card with a row of tabs; its panels have no frame of their own.

    Attributes:
        rows: what makes its panels, in their order.
        panels: their widgets.

    Signals:
        shown: a panel came into view.
    """

    shown = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.setProperty("role", "card")
        self._stack = stack = QStackedWidget(self)
        self.rows = tuple(INSPECTOR)
        self.panels: tuple[LookPanel, ...] = tuple(row.make(session, appearance, stack) for row in self.rows)
        self._group = QButtonGroup(self)
        self.tabs = [tab_button(self._group, index) for index in range(len(self.panels))]
        row = OverflowRow(appearance, self, spacing=2)
        row.set_margins(QMargins(6, 0, 6, 0))
        for tab, panel in zip(self.tabs, self.panels, strict=True):
            tab.setProperty("framed", True)
            tab.setProperty("tight", True)
            row.add(tab)
            self._stack.addWidget(panel)
            panel.title_changed.connect(self.retranslate)
        row.add_stretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 8, 2, 2)
        column.setSpacing(0)
        column.addWidget(row)
        column.addWidget(self._stack, 1)
        self._group.idClicked.connect(self.show_tab)
        appearance.changed.connect(self._restyle)
        self._restyle()
        self.show_tab(0)
        self.retranslate()

    @property
    def tab(self) -> int:
        """Which panel is shown."""
        return self._stack.currentIndex()

    @property
    def names(self) -> list[str]:
        """Names of the panels in their order, as files know them."""
        return [row.name for row in self.rows]

    def view(self, name: str) -> LookPanel:
        """The widget of a panel, by its name."""
        return self.panels[self.names.index(name)]

    def show_tab(self, index: int) -> None:
        """Show a panel by its place."""
        self._stack.setCurrentIndex(index)
        self.tabs[index].setChecked(True)
        for place, panel in enumerate(self.panels):
            # A panel behind the one in view must not keep the card wide.
            wanted = QSizePolicy.Policy.Preferred if place == index else QSizePolicy.Policy.Ignored
            panel.setSizePolicy(wanted, QSizePolicy.Policy.Preferred)
        self._take_least()
        self.shown.emit()

    def _restyle(self) -> None:
        """Before an audience the map comes first: the tabs in smaller type than the rest."""
        for tab in self.tabs:
            tab.setProperty("small", self._appearance.present)
            tab.style().unpolish(tab)
            tab.style().polish(tab)
        self._take_least()

    def _take_least(self) -> None:
        tabs = sum(tab.sizeHint().width() for tab in self.tabs) + _SIDES
        self.setMinimumWidth(max(tabs, self.panels[self.tab].least_width))

    def retranslate(self) -> None:
        """Take the language in force."""
        for tab, panel in zip(self.tabs, self.panels, strict=True):
            tab.setText(panel.title())
        self._take_least()

    def remeasure(self) -> None:
        """The tabs need another width."""
        self._take_least()
