"""`ViewTabs`: how a pane shows its trace: map, flow, words, all heads or the contribution graph."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QWidget

from model.abilities import Ability
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.icons import icon
from viewer.pages.look.pane_views import PANE_VIEWS, pane_view
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import tab_button
from viewer.pages.widgets.overflow_menu import KEYS
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.shown_keys import keyed
from viewer.pages.widgets.worded import Worded

_SIDE = 18
_SIDES = 18  # of a tab, left and right of what it shows


class ViewTabs(Worded, QWidget):
    """One tab a view; the pane's own is checked. Where there is little room, icons stand for the names."""

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self._pane = pane
        self._narrow = False
        self._names: dict[str, str] = {}
        self._group = QButtonGroup(self)
        self.tabs = {view.name: tab_button(self._group, place) for place, view in enumerate(PANE_VIEWS)}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for view in PANE_VIEWS:
            tab = self.tabs[view.name]
            tab.setProperty(KEYS, view.key)
            tab.setProperty("framed", True)
            tab.setProperty("tight", True)
            row.addWidget(tab)
        self._group.idClicked.connect(self._chosen)
        session.pane_changed.connect(self.refresh)
        session.panes_changed.connect(self.refresh)
        session.model_changed.connect(self.refresh)
        appearance.changed.connect(self._restyle)
        self.retranslate()

    def set_narrow(self, on: bool) -> None:
        """Show icons, or names."""
        if on != self._narrow:
            self._narrow = on
            self._restyle()

    def width_of(self, *, narrow: bool) -> int:
        """Room that the tabs need with icons, or with names."""
        sides = self._appearance.px(_SIDES)
        if narrow:
            return len(self.tabs) * (self._appearance.px(_SIDE) + sides)
        font = QFont(self.font())
        font.setPixelSize(self._appearance.px(14))
        metrics = QFontMetrics(font)
        sides += self._appearance.px(1) + 2 * metrics.horizontalAdvance(" ")  # Qt adds them beside a text
        return sum(metrics.horizontalAdvance(name) + sides for name in self._names.values())

    def refresh(self) -> None:
        """Show which view the pane has."""
        selection = self._session.selection(self._pane)
        shown = None if selection is None else pane_view(selection.view).name
        for view in PANE_VIEWS:
            tab = self.tabs[view.name]
            tab.setEnabled(selection is not None)
            tab.setChecked(view.name == shown)
            reason = cannot(self._session.model, Ability.ANSWER) if view.asks else ""
            tip = keyed(f"{self._names[view.name]}: {view.tip()}")
            tab.setToolTip(plain("\n".join([tip, *([reason] if reason else [])])))

    def retranslate(self) -> None:
        """Take the language in force."""
        for view in PANE_VIEWS:
            label = self._names[view.name] = view.label()
            self.tabs[view.name].setAccessibleName(label)
        self._restyle()
        self.refresh()

    def _restyle(self) -> None:
        """Names or icons, in the theme and type in force."""
        colours, side = self._appearance.palette, self._appearance.px(_SIDE)
        for view in PANE_VIEWS:
            tab = self.tabs[view.name]
            tab.setText("" if self._narrow else self._names[view.name])
            if self._narrow:
                tab.setIcon(icon(view.icon, colours.muted, colours.disabled, colours.accent))
            tab.setIconSize(QSize(side, side))
            style = Qt.ToolButtonStyle
            tab.setToolButtonStyle(style.ToolButtonIconOnly if self._narrow else style.ToolButtonTextOnly)
        self.updateGeometry()

    def _chosen(self, place: int) -> None:
        self._session.activate_pane(self._pane)
        self._session.select(self._pane, view=PANE_VIEWS[place].name)
        self.refresh()
