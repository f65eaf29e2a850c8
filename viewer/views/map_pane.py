"""One pane of the Look page: its title, its run, its badges, its buttons and its view: map, flow, ..."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSpacerItem,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from viewer.state.alteration_text import run_state_text
from viewer.state.figure import Body, MapSpec
from viewer.state.selection import PaneView
from viewer.state.session import Session
from viewer.views.all_heads_view import AllHeadsView
from viewer.views.appearance import Appearance
from viewer.views.buttons import IconButton, elastic, label
from viewer.views.empty_state import EmptyState
from viewer.views.flow_view import FlowView
from viewer.views.map_view import MapView
from viewer.views.numbers_button import NumbersButton
from viewer.views.run_chooser import RunChooser
from viewer.views.view_tabs import ViewTabs
from viewer.views.words_view import WordsView

_BADGE_LINES, _BADGE_LINES_OF_TWO = 3, 2  # what does not fit, the tooltip says
_BADGE_EDGE = 8
_RUN_NAME = 90
# Absolute, since a menu button is laid out from right to left for its arrow's sake.
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop


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
        self.second = QPushButton()
        self.pin = IconButton(appearance, "pin")
        self.pin.setCheckable(True)
        self.runs = RunChooser(session, appearance, _RUN_NAME)
        self.close_button = IconButton(appearance, "close")
        self.tabs = ViewTabs(session, pane)
        self.numbers = NumbersButton(session, appearance, pane)
        self.map = MapView(session, appearance, pane)
        self.flow = FlowView(session, appearance, pane)
        self.words = WordsView(session, appearance, pane)
        self.all_heads = AllHeadsView(session, appearance, pane)
        self.views: dict[PaneView, MapView | FlowView | WordsView | AllHeadsView] = {
            PaneView.MAP: self.map,
            PaneView.FLOW: self.flow,
            PaneView.WORDS: self.words,
            PaneView.HEADS: self.all_heads,
        }
        self.empty = EmptyState()
        self._head, self._below = QHBoxLayout(), QHBoxLayout()
        self._lay_out()
        self.reset.clicked.connect(self.map.reset_zoom)
        self.map.zoomed.connect(self.reset.setVisible)
        self.sqrt.clicked.connect(self._sqrt_clicked)
        self.second.clicked.connect(self._second_clicked)
        self.pin.clicked.connect(self._pin_clicked)
        self.runs.chosen.connect(self._run_chosen)
        self.close_button.clicked.connect(session.close_second_pane)
        self.empty.asked.connect(self.example_asked)
        session.pane_changed.connect(self._pane_changed)
        for signal in (
            session.panes_changed,
            session.runs_changed,
            session.run_grew,
            session.view_changed,
            session.pinned_changed,
        ):
            signal.connect(self.refresh)
        appearance.changed.connect(self.refresh)
        self.retranslate()

    def _lay_out(self) -> None:
        head = self._head
        head.setSpacing(6)
        head.addWidget(self.title, 1)
        for widget in (self.runs, self.reset, self.sqrt, self.second, self.pin, self.close_button):
            head.addWidget(widget)
        self.reset.hide()
        self.second.setVisible(self._pane == 0)
        self.close_button.setVisible(self._pane == 1)
        self._stack = QStackedLayout()
        for view in self.views.values():
            self._stack.addWidget(view)
        self._stack.addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 10, 10)
        column.setSpacing(4)
        column.addLayout(head)
        tools = QHBoxLayout()
        tools.setSpacing(6)
        tools.addWidget(self.tabs)
        tools.addStretch(1)
        tools.addWidget(self.numbers)
        column.addLayout(tools)
        row = self._below
        row.setSpacing(8)
        row.addWidget(self.badges, 1)
        self._strut = QSpacerItem(0, 0)
        row.addSpacerItem(self._strut)
        column.addLayout(row)
        column.addLayout(self._stack, 1)

    @property
    def shown(self) -> MapView | FlowView | WordsView | AllHeadsView:
        """The view that the pane has now."""
        selection = self._session.selection(self._pane)
        return self.views[PaneView.MAP if selection is None else selection.view]

    @property
    def body(self) -> Body | None:
        """What it shows, up to date; None for an empty pane."""
        figure = self.shown.figure
        return None if figure is None else figure.body

    def refresh(self) -> None:
        """Show the title, badges and frame of the pane as it is now."""
        spec = self.body
        self._stack.setCurrentWidget(self.empty if spec is None else self.shown)
        self.title.setText("" if spec is None else spec.title)
        names = [] if spec is None else [spec.title]
        if isinstance(spec, MapSpec):  # a low map has no room for the names of its axes
            names += [spec.row_title, spec.column_title]
        self.title.setToolTip("\n".join(names))
        two = len(self._session.document.panes) > 1
        self._show_badges([*self._run_badge(), *spec.badges] if spec is not None else [], two=two)
        self.sqrt.setChecked(self._session.view.sqrt_scale)
        self.sqrt.setEnabled(spec is not None)
        self.second.setEnabled(spec is not None)
        # Before an audience the title has their room; the menu has them too.
        self.second.setVisible(self._pane == 0 and not two and not self._look.present)
        self.pin.setVisible(not self._look.present)
        self._place_runs(two=two or self._look.present)
        self._show_run()
        self.sqrt.setText("√" if two or self._look.present else self.tr("√ scale"))
        self._mark_active(two and self._session.active == self._pane)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.reset.describe(self.tr("Show the whole map (double click)"))
        self.sqrt.setToolTip(self.tr("Colour by the square root, so that small weights show (S)"))
        self.sqrt.setAccessibleName(self.tr("Square root scale"))
        self.second.setText(self.tr("Second map"))
        self.second.setToolTip(self.tr("Keep this map and open a second one beside it"))
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

    def _show_badges(self, badges: list[str], *, two: bool) -> None:
        """In two panes as high in the one as in the other, so that their maps are too."""
        lines = _BADGE_LINES_OF_TWO if two else _BADGE_LINES
        self.badges.be_short(lines)
        self.badges.setText("  ·  ".join(badges))
        self.badges.setToolTip("\n".join(badges))
        high = lines * self.badges.fontMetrics().lineSpacing() + self._look.px(_BADGE_EDGE)
        self.badges.setMaximumHeight(high)
        self.badges.setVisible(bool(badges))
        self._strut.changeSize(0, high if two else 0)
        self._below.invalidate()

    def _place_runs(self, *, two: bool) -> None:
        """Beside the title where there is room for both, else below it."""
        layout, other = (self._below, self._head) if two else (self._head, self._below)
        if layout.indexOf(self.runs) < 0:
            other.removeWidget(self.runs)
            layout.insertWidget(0 if two else 1, self.runs, 0, _LEFT)

    def _show_run(self) -> None:
        """Which run the pane shows, where there are several, and whether it is pinned."""
        document, run = self._session.document, self._session.run(self._pane)
        # Large type has room for the badge or for the chooser.
        told = self._look.present and not self.badges.isHidden()
        self.runs.setVisible(run is not None and len(document.runs) > 1 and not told)
        if run is not None:
            self.runs.show_run(run.id)
        pinned = run is not None and run.id == document.pinned
        self.pin.setEnabled(run is not None)
        self.pin.setChecked(pinned)
        self.pin.describe(
            self.tr("Unpin this run") if pinned else self.tr("Pin this run, to compare others with it")
        )

    def _mark_active(self, active: bool) -> None:
        if self.property("active") != active:
            self.setProperty("active", active)
            self.update()

    def _run_badge(self) -> list[str]:
        """That the run is untouched, where the other pane shows an altered one, which its map says."""
        panes = self._session.document.panes
        runs = [self._session.run(index) for index in range(len(panes))]
        run = self._session.run(self._pane)
        if run is None or run.trace.alterations:
            return []
        altered = any(other is not None and other.trace.alterations for other in runs)
        return [run_state_text(run.trace)] if altered else []

    def _pane_changed(self, pane: int) -> None:
        """Another run in the other pane changes what this one says of its own."""
        self.refresh()

    def _sqrt_clicked(self) -> None:
        self._session.set_view(sqrt_scale=not self._session.view.sqrt_scale)
        self.refresh()

    def _second_clicked(self) -> None:
        self._session.open_second_pane()

    def _pin_clicked(self) -> None:
        run = self._session.run(self._pane)
        if run is not None:
            self._session.pin("" if run.id == self._session.document.pinned else run.id)
        self._show_run()

    def _run_chosen(self, run_id: str) -> None:
        self._session.activate_pane(self._pane)
        self._session.show_run(run_id, self._pane)
