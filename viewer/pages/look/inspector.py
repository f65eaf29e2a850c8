"""Inspector: the panels beside the maps, behind a row of tabs."""

from __future__ import annotations

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QVBoxLayout, QWidget

from viewer.document.session import Session
from viewer.pages.look.inspector_panels import INSPECTOR
from viewer.pages.look.panel import LookPanel
from viewer.pages.look.panel_stack import PanelStack
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import tab_button
from viewer.pages.widgets.overflow_row import OverflowRow
from viewer.pages.widgets.worded import Worded

_SIDES = 24  # margins and gaps of the row of tabs


class Inspector(Worded, QFrame):
    """One card with a row of tabs; its panels have no frame of their own.

    Attributes:
        panels: the widgets.

    Signals:
        shown: a panel came into view.
    """

    shown = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.setProperty("role", "card")
        self._group = QButtonGroup(self)
        self.tabs = [tab_button(self._group, index) for index in range(len(INSPECTOR))]
        row = OverflowRow(appearance, self, spacing=2)
        row.set_margins(QMargins(6, 0, 6, 0))
        for tab in self.tabs:
            tab.setProperty("framed", True)
            tab.setProperty("tight", True)
            row.add(tab)
        row.add_stretch()
        self.panels = PanelStack(INSPECTOR, session, appearance, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 8, 2, 2)
        column.setSpacing(0)
        column.addWidget(row)
        column.addWidget(self.panels, 1)
        self.panels.panel_made.connect(self._take_least)
        self.panels.titled.connect(self.retranslate)
        self._group.idClicked.connect(self.show_tab)
        appearance.changed.connect(self._restyle)
        self._restyle()
        self.show_tab(0)
        self.retranslate()

    @property
    def tab(self) -> int:
        """Which panel is shown."""
        return self.panels.place

    @property
    def names(self) -> list[str]:
        """Names of the panels in their order, as files know them."""
        return self.panels.names

    def view(self, name: str) -> LookPanel:
        """The widget of a panel, by its name."""
        return self.panels.view(name)

    def show_tab(self, index: int) -> None:
        """Show a panel by its place."""
        self.panels.show_place(index)
        self.tabs[index].setChecked(True)
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
        panel = self.panels.there(self.names[self.tab])
        self.setMinimumWidth(max(tabs, 0 if panel is None else panel.least_width))

    def retranslate(self) -> None:
        """Take the language in force."""
        for tab, title in zip(self.tabs, self.panels.titles(), strict=True):
            tab.setText(title)
        self._take_least()

    def remeasure(self) -> None:
        """The tabs need another width."""
        self._take_least()
