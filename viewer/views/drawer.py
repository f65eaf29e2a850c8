"""The drawer below the maps: four panels behind a row of tabs that stays when it is closed."""

from __future__ import annotations

import json

from PySide6.QtCore import QByteArray, QEvent, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from model.tensor_file import parse_json
from viewer.guarded import Guarded
from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.branches.branches_panel import BranchesPanel
from viewer.views.buttons import tab_button
from viewer.views.compare.compare_panel import ComparePanel
from viewer.views.heads_table.heads_table_panel import HeadsTablePanel
from viewer.views.overflow_menu import KEYS
from viewer.views.overflow_row import OverflowRow
from viewer.views.sentences.sentences_panel import SentencesPanel

PANELS = ("branches", "compare", "heads_table", "sentences")
"""Names of the panels in their order, as files know them."""

_KEYS = ("B", "K", "H", "J")


class Drawer(Guarded, QWidget):
    """A click on the tab of the panel in view closes the drawer; a click on any tab opens it.

    Open again, it is as high as it was made before.

    Signals:
        toggled: it was opened or closed.
        row_changed: its row of tabs may need another height, in other type.
    """

    toggled = Signal(bool)
    row_changed = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stack = stack = QStackedWidget(self)
        self.branches = BranchesPanel(session, appearance, stack)
        self.compare = ComparePanel(session, appearance, stack)
        self.heads_table = HeadsTablePanel(session, appearance, stack)
        self.sentences = SentencesPanel(session, appearance, stack)
        self.panels: tuple[BranchesPanel | ComparePanel | HeadsTablePanel | SentencesPanel, ...] = (
            self.branches,
            self.compare,
            self.heads_table,
            self.sentences,
        )
        self._height = 0
        self._plain = False
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self.tabs: list[QToolButton] = [tab_button(self._group, index) for index in range(len(self.panels))]
        row = OverflowRow(appearance, self, spacing=4)
        for tab, panel, key in zip(self.tabs, self.panels, _KEYS, strict=True):
            tab.setProperty(KEYS, f"Ctrl+{key}")
            row.add(tab)
            self._stack.addWidget(panel)
        row.add_space(16)
        for panel in self.panels:
            row.add(panel.tools, 1, rank=2)
            panel.tools.hide()
        row.add_stretch(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(row)
        column.addWidget(self._stack, 1)
        self._stack.hide()
        self._group.idClicked.connect(self._clicked)
        self.retranslate()

    @property
    def is_open(self) -> bool:
        """Whether a panel is shown."""
        return not self._stack.isHidden()

    def show_panel(self, index: int | None) -> None:
        """Show Branches (0), Compare, Heads table or Sentences (3), or close the drawer (None)."""
        was, height = self.is_open, self._height
        if index is not None:
            self._stack.setCurrentIndex(index)
        self._stack.setVisible(index is not None)
        for place, panel in enumerate(self.panels):
            panel.tools.setVisible(place == index)
        for place, tab in enumerate(self.tabs):
            tab.setChecked(place == index)
        self.setVisible(self.is_open or not self._plain)
        if was != self.is_open:
            self.toggled.emit(self.is_open)
            self._take_height(height)

    @property
    def panel(self) -> str:
        """Name of the panel that is open, see `PANELS`; empty while it is closed."""
        return PANELS[self._stack.currentIndex()] if self.is_open else ""

    def set_plain(self, on: bool) -> None:
        """While it is closed, leave out its tabs too; keys and menu open it."""
        self._plain = on
        self.setVisible(self.is_open or not on)

    def save_state(self) -> QByteArray:
        """What is open and how high, for `restore_state`."""
        floor = bytes(self.branches.save_state().toBase64().data()).decode("ascii")
        open_panel = self._stack.currentIndex() if self.is_open else None
        state = {"panel": open_panel, "height": self._height, "branches": floor}
        return QByteArray(json.dumps(state).encode("utf-8"))

    def restore_state(self, state: QByteArray) -> None:
        """Open what was open, as high as it was; anything else changes nothing."""
        try:
            values = parse_json(bytes(state.data()) or b"{}")
            panel, height = values.get("panel"), int(values.get("height", 0))
            floor = QByteArray.fromBase64(str(values.get("branches", "")).encode("ascii"))
        except (ValueError, TypeError, AttributeError, OverflowError):
            return
        self.branches.restore_state(floor)
        self._height = max(0, height)
        if panel is None or panel in range(len(self.panels)):
            self.show_panel(panel)

    def retranslate(self) -> None:
        """Take the language in force."""
        names = (self.tr("Branches"), self.tr("Compare"), self.tr("Heads table"), self.tr("Sentences"))
        for tab, name in zip(self.tabs, names, strict=True):
            tab.setText(name)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def event(self, event: QEvent) -> bool:
        """Children that take other type ask for another layout."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.row_changed.emit()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Remember the height that it was given."""
        super().resizeEvent(event)
        if self.is_open and self.isVisible():
            self._height = self.height()

    def _take_height(self, height: int) -> None:
        """As high as before, in the splitter that it stands in."""
        floors = self.parentWidget()
        if self.is_open and height and isinstance(floors, QSplitter):
            others = max(1, floors.height() - height)
            floors.setSizes([height if floors.widget(i) is self else others for i in range(floors.count())])

    def _clicked(self, index: int) -> None:
        self.show_panel(None if self.is_open and self._stack.currentIndex() == index else index)
