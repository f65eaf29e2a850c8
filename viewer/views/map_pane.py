"""One pane of the Look page: its title, its badges, its buttons and its map."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.buttons import IconButton, elastic, label
from viewer.views.empty_state import EmptyState
from viewer.views.map_view import MapView


class MapPane(QFrame):
    """A map with its header; the active one of two is framed.

    Signals:
        example_asked: the empty state's button.
    """

    example_asked = Signal()

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._look = appearance
        self._pane = pane
        self.setProperty("role", "pane")
        self.setProperty("active", False)
        self.title = elastic(label("title"))
        self.badges = label("badge")
        self.badges.setMinimumWidth(1)
        self.reset = IconButton(appearance, "reset")
        self.sqrt = QPushButton()
        self.sqrt.setCheckable(True)
        self.pin = QPushButton()
        self.close_button = IconButton(appearance, "close")
        self.map = MapView(session, appearance, pane)
        self.empty = EmptyState()
        self._lay_out()
        self.reset.clicked.connect(self.map.reset_zoom)
        self.map.zoomed.connect(self.reset.setVisible)
        self.sqrt.clicked.connect(self._sqrt_clicked)
        self.pin.clicked.connect(self._pin_clicked)
        self.close_button.clicked.connect(session.close_second_pane)
        self.empty.asked.connect(self.example_asked)
        session.pane_changed.connect(self._pane_changed)
        for signal in (session.panes_changed, session.runs_changed, session.run_grew, session.view_changed):
            signal.connect(self.refresh)
        self.retranslate()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self.title, 1)
        for widget in (self.reset, self.sqrt, self.pin, self.close_button):
            head.addWidget(widget)
        self.reset.hide()
        self.pin.setVisible(self._pane == 0)
        self.close_button.setVisible(self._pane == 1)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.map)
        self._stack.addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 10, 10)
        column.setSpacing(4)
        column.addLayout(head)
        row = QHBoxLayout()
        row.addWidget(self.badges)
        row.addStretch(1)
        column.addLayout(row)
        column.addLayout(self._stack, 1)

    def refresh(self) -> None:
        """Show the title, badges and frame of the pane as it is now."""
        spec = self.map.spec
        self._stack.setCurrentWidget(self.empty if spec is None else self.map)
        self.title.setText("" if spec is None else spec.title)
        self.title.setToolTip("" if spec is None else spec.title)
        badges = "  ·  ".join(spec.badges) if spec is not None else ""
        self.badges.setText(badges)
        self.badges.setToolTip(badges)
        self.badges.setVisible(bool(badges))
        self.sqrt.setChecked(self._session.view.sqrt_scale)
        self.sqrt.setEnabled(spec is not None)
        two = len(self._session.document.panes) > 1
        self.pin.setEnabled(spec is not None)
        self.pin.setVisible(self._pane == 0 and not two)
        self.sqrt.setText("√" if two else self.tr("√ scale"))
        self._mark_active(two and self._session.active == self._pane)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.reset.describe(self.tr("Show the whole map (double click)"))
        self.sqrt.setToolTip(self.tr("Colour by the square root, so that small weights show (S)"))
        self.sqrt.setAccessibleName(self.tr("Square root scale"))
        self.pin.setText(self.tr("Pin"))
        self.pin.setToolTip(self.tr("Keep this map and open a second one beside it"))
        self.close_button.describe(self.tr("Close this map"))
        self.map.setAccessibleName(self.tr("Attention map"))
        self.map.mark_dirty()  # its own event comes after this one
        self.empty.say(
            self.tr("Type a sentence above and press Enter to see who attends to whom."),
            self.tr("Show an example"),
        )
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click anywhere in the pane makes it the active one."""
        self._session.activate_pane(self._pane)
        super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Frame the active one of two."""
        super().paintEvent(event)
        if self.property("active"):
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._look.color("accent"), 1.5))
            corner = self._look.px(8)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75), corner, corner)

    def _mark_active(self, active: bool) -> None:
        if self.property("active") != active:
            self.setProperty("active", active)
            self.update()

    def _pane_changed(self, pane: int) -> None:
        if pane == self._pane:
            self.refresh()

    def _sqrt_clicked(self) -> None:
        self._session.set_view(sqrt_scale=not self._session.view.sqrt_scale)
        self.refresh()

    def _pin_clicked(self) -> None:
        self._session.open_second_pane()
