"""Drawer: the panels below the maps, behind a row of tabs that stays when it is closed."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import QByteArray, QEvent, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from model.files.tensor_file import parse_json
from viewer.document.session import Session
from viewer.figures.figure import AnyFigure
from viewer.figures.request import Page
from viewer.pages.look.drawer_panels import DRAWER
from viewer.pages.look.panel import LookPanel, PanelRow
from viewer.pages.look.panel_stack import PanelStack
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton, tab_button
from viewer.pages.widgets.lazy import keys_after
from viewer.pages.widgets.overflow_menu import KEYS
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.worded import Worded


class Drawer(Worded, QWidget):
    """A click on the tab of the panel in view closes the drawer; a click on any tab opens it.

    Open again, it is as high as it was made before.

    Attributes:
        panels: the widgets.

    Signals:
        toggled: it was opened or closed.
        shown: a panel came into view, or none is.
        row_changed: its row of tabs may need another height, in other type.
        focus_left: it was closed while it had the keys.
        enlarge_asked: it is to take the place of the map (True), or to stand below it.
    """

    toggled = Signal(bool)
    shown = Signal()
    row_changed = Signal()
    focus_left = Signal()
    enlarge_asked = Signal(bool)

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._heights = {False: 0, True: 0}  # as it was made, by whether its tabs are folded
        self._plain = self._folded = False
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self.tabs: list[QToolButton] = [tab_button(self._group, index) for index in range(len(DRAWER))]
        self._bar = bar = OverflowRow(appearance, self, spacing=4)
        for tab, row in zip(self.tabs, DRAWER, strict=True):
            if row.key:
                tab.setProperty(KEYS, f"Ctrl+{row.key}")
            bar.add(tab)
        bar.add_space(16)
        self._tools_from = bar.count
        bar.add_stretch(0)
        self.enlarge = IconButton(appearance, "enlarge")
        self.enlarge.setCheckable(True)
        self.enlarge.clicked.connect(self.enlarge_asked)
        bar.add(self.enlarge, rank=STAYS)
        self.enlarge.hide()
        self.close_button = IconButton(appearance, "close")
        self.close_button.clicked.connect(self._close)
        bar.add(self.close_button, rank=STAYS)
        self.close_button.hide()
        self.panels = PanelStack(DRAWER, session, appearance, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(bar)
        column.addWidget(self.panels, 1)
        self.panels.hide()
        self.panels.panel_made.connect(self._take)
        self.panels.titled.connect(self.retranslate)
        self._group.idClicked.connect(self.toggle_panel)
        self.retranslate()

    @property
    def is_open(self) -> bool:
        """Whether a panel is shown."""
        return not self.panels.isHidden()

    def show_panel(self, index: int | None) -> None:
        """Show the panel of a row by its place, or close the drawer (None)."""
        was, height = self.is_open, self._heights[self._folded]
        focused = self.focusWidget() if index is None else None  # of its own parts
        held = focused is not None and focused.hasFocus()
        if focused is not None and held:
            focused.clearFocus()  # Qt would give the keys to whatever comes next
        if index is None:
            self.panels.close_all()
        self.panels.setVisible(index is not None)
        if index is not None:
            self.panels.show_place(index)
        self._show_tools()
        for place, tab in enumerate(self.tabs):
            tab.setChecked(place == index)
        self.enlarge.setVisible(self.is_open)
        self._show_row()
        self.shown.emit()
        if was != self.is_open:
            self.toggled.emit(self.is_open)
            self._take_height(height)
        if held:
            self.focus_left.emit()

    def toggle_panel(self, index: int) -> None:
        """Show a panel by its place; of the one in view, close the drawer."""
        self.show_panel(None if self.is_open and self.panels.place == index else index)

    @property
    def panel(self) -> str:
        """Name of the panel that is open; empty while it is closed."""
        return self.row.name if self.is_open else ""

    def exported(self) -> Page | None:
        """What the panel in view shows with a table of its own."""
        panel = self.panels.there(self.panel) if self.panel else None
        return panel.exported() if panel is not None and self.isVisible() else None

    def tree(self) -> AnyFigure | None:
        """The tree of branches that is in view, if one is."""
        branches = self.panels.there("branches")
        return None if branches is None else branches.figure()

    @property
    def row(self) -> PanelRow:
        """What made the panel that is open, or was last."""
        return self.panels.rows[self.panels.place]

    @property
    def names(self) -> list[str]:
        """Names of the panels in their order, as files know them."""
        return self.panels.names

    def view(self, name: str) -> LookPanel:
        """The widget of a panel, by its name."""
        return self.panels.view(name)

    def take_keys(self) -> None:
        """Give the keys to the panel in view, or to what stands in its place until it is made."""
        self.panels.take_keys()

    def set_plain(self, on: bool) -> None:
        """While it is closed, leave out its tabs too; keys and menu open it."""
        self._plain = on
        self._show_row()

    def set_folded(self, on: bool) -> None:
        """While it is closed, leave out its tabs: another list has them."""
        self._folded = on
        self._show_row()

    def _take(self, panel: LookPanel) -> None:
        """What a panel that was just made shows beside the tabs."""
        if panel.tools is not None:
            self._bar.insert(self._tools_from, panel.tools, 1, rank=2)
            keys_after(self.tabs[-1], panel.tools)
            self._show_tools()

    def _show_tools(self) -> None:
        for panel in self.panels.made:
            if panel.tools is not None:
                panel.tools.setVisible(self.is_open and self.panels.there(self.panel) is panel)

    def _show_row(self) -> None:
        for tab in self.tabs:
            tab.setVisible(not self._folded)
        self.close_button.setVisible(self._folded)
        self.setVisible(self.is_open or not (self._plain or self._folded))

    def save_state(self) -> QByteArray:
        """What is open and how high, for `restore_state`."""
        open_panel = self.panels.place if self.is_open else None
        state: dict[str, Any] = {"panel": open_panel, "height": self._heights[False]}
        for name, own in self.panels.save_states().items():
            state[name] = bytes(own.toBase64().data()).decode("ascii")
        return QByteArray(json.dumps(state).encode("utf-8"))

    def restore_state(self, state: QByteArray) -> None:
        """Open what was open, as high as it was; anything else changes nothing."""
        try:
            values = parse_json(bytes(state.data()) or b"{}")
            panel, height = values.get("panel"), int(values.get("height", 0))
            kept = {name: str(values.get(name, "")).encode("ascii") for name in self.names}
        except (ValueError, TypeError, AttributeError, OverflowError):
            return
        self.panels.restore_states({name: QByteArray.fromBase64(own) for name, own in kept.items()})
        self._heights[False] = max(0, height)
        if panel is None or panel in range(len(self.tabs)):
            self.show_panel(panel)

    def retranslate(self) -> None:
        """Take the language in force."""
        for tab, title in zip(self.tabs, self.panels.titles(), strict=True):
            tab.setText(title)
        self.close_button.describe(self.tr("Close this panel"))
        self.enlarge.describe(self.tr("In place of the map, or below it"))

    def event(self, event: QEvent) -> bool:
        """Children that take other type ask for another layout."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.row_changed.emit()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Remember the height that it was given."""
        super().resizeEvent(event)
        if self.is_open and self.isVisible() and not self.enlarge.isChecked():
            self._heights[self._folded] = self.height()

    def _close(self) -> None:
        self.show_panel(None)

    def _take_height(self, height: int) -> None:
        """As high as before, in the splitter that it stands in."""
        floors = self.parentWidget()
        if self.is_open and height and isinstance(floors, QSplitter):
            others = max(1, floors.height() - height)
            floors.setSizes([height if floors.widget(i) is self else others for i in range(floors.count())])
