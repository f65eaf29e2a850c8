"""`SideColumn`: heads beside the map; in a small window kinds above them, and below a list of all panels."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from viewer.document.session import Session
from viewer.pages.look.drawer import Drawer
from viewer.pages.look.heads.heads_panel import HeadsPanel
from viewer.pages.look.inspector import Inspector
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.overflow_menu import KEYS
from viewer.pages.widgets.worded import Worded

_WIDTH, _SHARE = 150, 19  # at least so many pixels, and of a hundred


class SideColumn(Worded, QWidget):
    """Holds the heads, and in a small window what leads to everything that is folded.

    Attributes:
        kinds: where the kinds of attention stand while their own row is folded.
        entries: a button for each panel of the inspector, then for each of the drawer.

    Signals:
        picked: an entry was clicked, by its place in the list.
    """

    picked = Signal(int)

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.heads = HeadsPanel(session, appearance, self)
        self._kinds_row = QWidget(self)
        self.kinds = QHBoxLayout(self._kinds_row)
        self.kinds.setContentsMargins(0, 0, 0, 0)
        self.kinds.setSpacing(4)
        self._list = QWidget(self)
        self._column = QVBoxLayout(self._list)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self._kinds_row)
        column.addWidget(self.heads, 1)
        column.addWidget(self._list)
        column.addStretch()  # without the heads the rest stays at the top
        self.entries: list[QPushButton] = []
        self._kinds_row.hide()
        self._list.hide()

    def list_panels(self, inspector: Inspector, drawer: Drawer) -> None:
        """One entry a panel; who shows and hides panels has those that are open marked."""
        self._inspector, self._drawer = inspector, drawer
        for row in (*inspector.panels.rows, *drawer.panels.rows):
            entry = QPushButton(self._list)
            entry.setProperty("role", "entry")
            entry.setCheckable(True)
            if row.key:
                entry.setProperty(KEYS, f"Ctrl+{row.key}")
            self._column.addWidget(entry)
            entry.clicked.connect(partial(self._clicked, len(self.entries)))
            self.entries.append(entry)
        for panels in (inspector.panels, drawer.panels):
            panels.titled.connect(self.retranslate)
        self.retranslate()

    def _clicked(self, place: int) -> None:
        self.picked.emit(place)

    def fold(self, *, small: bool, low: bool, heads: bool) -> None:
        """Show what the room asks for."""
        self._kinds_row.setVisible(low)
        self._list.setVisible(small)
        self.heads.setVisible(heads)
        self.setVisible(small or heads)

    def usual_width(self, whole: int, *, drawer: bool = False) -> int:
        """Pixels that it takes of a small window so wide: the map keeps more than half of the window.

        Args:
            drawer: one is open, which leaves a map above it less height.
        """
        share = 0 if drawer else whole * _SHARE // 100
        return max(self._appearance.px(_WIDTH), share, self.minimumSizeHint().width())

    def mark_open(self) -> None:
        """Mark the panels that are open."""
        places = set() if self._inspector.isHidden() else {self._inspector.tab}
        if self._drawer.is_open:
            places.add(len(self._inspector.tabs) + self._drawer.names.index(self._drawer.panel))
        for place, entry in enumerate(self.entries):
            entry.setChecked(place in places)

    def retranslate(self) -> None:
        """Take the language in force."""
        titles = [*self._inspector.panels.titles(), *self._drawer.panels.titles()] if self.entries else []
        for entry, title in zip(self.entries, titles, strict=True):
            entry.setText(title)

    def sizeHint(self) -> QSize:
        """As wide as the heads."""
        return self.heads.sizeHint().expandedTo(super().sizeHint())
