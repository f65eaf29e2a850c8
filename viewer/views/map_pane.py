"""One pane of the Look page: its title, its run, its badges, its buttons and its view: map, flow, ..."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QIcon, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSpacerItem,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from viewer.guarded import Guarded
from viewer.resources import icon
from viewer.state.alteration_text import run_state_text
from viewer.state.figure import Body, MapSpec
from viewer.state.numbers import SCORES, shown_numbers
from viewer.state.numbers_text import numbers_title
from viewer.state.selection import PaneView
from viewer.state.session import Session
from viewer.views.all_heads_view import AllHeadsView
from viewer.views.appearance import Appearance
from viewer.views.buttons import IconButton, label
from viewer.views.flow_tools import FlowTools
from viewer.views.flow_view import FlowView
from viewer.views.go_to_line import GoToLine
from viewer.views.gold_button import GoldButton
from viewer.views.invitation import Invitation
from viewer.views.map_view import MapView
from viewer.views.numbers_button import NumbersButton
from viewer.views.pane_room import Needs, PaneRoom, pane_room
from viewer.views.plain_tip import plain
from viewer.views.run_chooser import RunChooser
from viewer.views.view_tabs import ViewTabs
from viewer.views.words_tools import WordsTools
from viewer.views.words_view import WordsView

_BADGE_LINES, _BADGE_LINES_OF_TWO = 3, 2  # what does not fit, the tooltip says
_BADGE_EDGE = 8
_RUN_NAME = 90
_SIDES, _GAP = 38, 6
_WHOLE = 1000  # the title has the room that it needs, the badges the rest
# Absolute, since a menu button is laid out from right to left for its arrow's sake.
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop
_TOP = Qt.AlignmentFlag.AlignTop


class MapPane(Guarded, QFrame):
    """A map with its header; the active one of two is framed.

    Signals:
        example_asked: the empty state's button.
        gold_asked: the dialog of gold links.
    """

    example_asked = Signal()
    gold_asked = Signal()

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._look = appearance
        self._pane = pane
        self.setProperty("role", "pane")
        self.setProperty("active", False)
        self.title = label("title")
        self.title.be_elastic(hugging=True)
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
        self.tabs = ViewTabs(session, appearance, pane)
        self.gold = GoldButton(session, appearance, pane)
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
        self.tools: dict[PaneView, FlowTools | WordsTools] = {
            PaneView.FLOW: FlowTools(session, appearance, pane),
            PaneView.WORDS: WordsTools(session, pane),
        }
        self.go_to = GoToLine(session, appearance, pane, lambda: self.shown)
        self.empty = Invitation(session)
        self._buttons: tuple[QAbstractButton, ...] = (
            self.reset, self.gold, self.sqrt, self.second, self.pin, self.close_button,
        )  # fmt: skip
        self._zoomed: set[PaneView] = set()
        self._room = PaneRoom()
        self._head, self._middle, self._below = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        self._lay_out()
        self._connect()
        self.retranslate()

    def _connect(self) -> None:
        self.reset.clicked.connect(self._reset_clicked)
        self.map.zoomed.connect(self._map_zoomed)
        self.flow.zoomed.connect(self._flow_zoomed)
        self.sqrt.clicked.connect(self._sqrt_clicked)
        self.second.clicked.connect(self._second_clicked)
        self.pin.clicked.connect(self._pin_clicked)
        self.runs.chosen.connect(self._run_chosen)
        self.close_button.clicked.connect(self._session.close_second_pane)
        self.empty.asked.connect(self.example_asked)
        self.gold.edit_asked.connect(self._gold_clicked)
        self._session.pane_changed.connect(self._pane_changed)
        session = self._session
        for signal in (
            session.panes_changed, session.runs_changed, session.run_grew, session.view_changed,
            session.pinned_changed,
        ):  # fmt: skip
            signal.connect(self.refresh)
        for view in self.views.values():
            view.answered.connect(self.refresh)
        self._look.changed.connect(self.refresh)

    def _lay_out(self) -> None:
        head = self._head
        head.setSpacing(6)
        head.addWidget(self.tabs)
        head.addWidget(self.numbers)
        head.addStretch(1)
        for widget in self._buttons:
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
        column.addLayout(self._middle)
        self._middle.addStretch(1)
        row = self._below
        row.setSpacing(8)
        row.addWidget(self.badges, 50)
        row.addStretch(1)
        self._strut = QSpacerItem(0, 0)
        row.addSpacerItem(self._strut)
        column.addLayout(row)
        for tools in self.tools.values():
            column.addWidget(tools)
        column.addWidget(self.go_to)
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
        self._stack.setCurrentWidget(self.empty if spec is None and not self.shown.waiting else self.shown)
        self.title.setText(title := self._title() if spec is None else spec.title)
        names = [title] if title else []
        if isinstance(spec, MapSpec):  # a low map has no room for the names of its axes
            names += [spec.row_title, spec.column_title]
        self.title.setToolTip(plain("\n".join(names)))
        two = len(self._session.document.panes) > 1
        there = spec is not None or self.shown.holding  # a header that comes and goes would make it jump
        if spec is not None or not there:
            badges = [*self._run_badge(), *spec.badges] if spec is not None else []
            self._show_badges(badges, two=two)
            if isinstance(spec, MapSpec) and spec.gold is not None:
                self.badges.setToolTip(plain("\n".join([*badges, spec.gold.note])))
        self.sqrt.setChecked(self._session.view.sqrt_scale)
        self.sqrt.setEnabled(spec is not None and not (isinstance(spec, MapSpec) and spec.numbers in SCORES))
        self.second.setEnabled(there)
        # Before an audience the title has their room; the menu has them too.
        self.second.setVisible(self._pane == 0 and not two and not self._look.present)
        self.pin.setVisible(not self._look.present)
        self._show_run()
        self._arrange()
        self._show_tools()
        self._mark_active(two and self._session.active == self._pane)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.reset.describe(self.tr("Show the whole map (double click)"))
        self.sqrt.setToolTip(self.tr("Colour by the square root, so that small weights show (S)"))
        self.sqrt.setAccessibleName(self.tr("Square root scale"))
        self.second.setAccessibleName(self.tr("Second map"))
        self.second.setToolTip(self.tr("Keep this map and open a second one beside it"))
        self.close_button.describe(self.tr("Close this map"))
        self.map.setAccessibleName(self.tr("Attention map"))
        self.flow.setAccessibleName(self.tr("Flow of attention"))
        self.words.setAccessibleName(self.tr("Words shaded by attention"))
        for view in self.views.values():
            view.mark_dirty()  # its own event comes after this one
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for more or less of the header."""
        super().resizeEvent(event)
        self._arrange()

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
        self.badges.setToolTip(plain("\n".join(badges)))
        high = lines * self.badges.fontMetrics().lineSpacing() + self._look.px(_BADGE_EDGE)
        self.badges.setMaximumHeight(high)
        self.badges.setVisible(bool(badges))
        self._strut.changeSize(0, high if two else 0)
        # As high as with every button: some are in one pane only.
        tallest = max(button.sizeHint().height() for button in (self.numbers, *self._buttons))
        self.tabs.setMinimumHeight(tallest if two else 0)
        self._below.invalidate()

    def _arrange(self) -> None:
        """Title, tabs and buttons in one row where there is room; else the title stands with the badges."""
        two, present = len(self._session.document.panes) > 1, self._look.present
        self._room = room = pane_room(self._needs(), self.width() - _SIDES, tight=two or present)
        self.tabs.set_narrow(room.icons)
        self.numbers.setVisible(room.numbers)
        self.sqrt.setText(self.tr("√ scale") if room.long else "√")
        self.second.setText(self.tr("Second map") if room.long else "")
        colours = self._look.palette
        self.second.setIcon(QIcon() if room.long else icon("second", colours.text, colours.disabled))
        titles = self._head if room.one_row else self._middle if two or present else self._below
        self._put(self.title, titles, 0, _WHOLE)
        if two or present:
            self._put(self.runs, self._below, 0)
        else:
            self._put(self.runs, self._head, self._head.indexOf(self.reset))
        self._below.invalidate()

    def _put(self, widget: QWidget, to: QHBoxLayout, place: int, stretch: int = 0) -> None:
        """Put a widget into one of the rows, at its place from the left."""
        if to.indexOf(widget) >= 0:
            return
        for row in (self._head, self._middle, self._below):
            row.removeWidget(widget)
        if to is self._head:
            to.insertWidget(place, widget, stretch)
        else:
            to.insertWidget(place, widget, stretch, _TOP if stretch else _LEFT)

    def _needs(self) -> Needs:
        """How wide what stands in the header is."""
        look, metrics = self._look, self.fontMetrics()
        sides = 2 * look.px(12) + 4
        short = metrics.horizontalAdvance("√") + sides
        names = (self.tr("√ scale"), self.tr("Second map"))
        long, side = (metrics.horizontalAdvance(name) + sides for name in names)
        second = not self.second.isHidden()
        worded = (self.sqrt, self.second)
        icons = [button for button in self._buttons if button not in worded and not button.isHidden()]
        rest = sum(button.sizeHint().width() + _GAP for button in icons)
        two = len(self._session.document.panes) > 1 or look.present
        if not self.runs.isHidden() and not two:
            rest += self.runs.sizeHint().width() + _GAP
        return Needs(
            title=self.title.fontMetrics().horizontalAdvance(self.title.text()) + look.px(12),
            tabs=self.tabs.width_of(narrow=False) + _GAP,
            icons=self.tabs.width_of(narrow=True) + _GAP,
            numbers=self.numbers.sizeHint().width() + _GAP,
            long=rest + long + _GAP + (side + _GAP if second else 0),
            short=rest + short + _GAP + (look.px(18) + sides + _GAP if second else 0),
        )

    def _show_tools(self) -> None:
        """The row of the view that has one."""
        selection = self._session.selection(self._pane)
        shown = self._stack.currentWidget() is not self.empty
        for view, tools in self.tools.items():
            tools.setVisible(shown and selection is not None and selection.view is view)
        self.reset.setVisible(selection is not None and selection.view in self._zoomed)

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

    def _title(self) -> str:
        """Of what is still to be worked out; empty for an empty pane."""
        trace, selection = self._session.trace(self._pane), self._session.selection(self._pane)
        if trace is None or selection is None or not self.shown.waiting:
            return ""
        return numbers_title(trace, selection, shown_numbers(trace, selection))

    def _run_badge(self) -> list[str]:
        """That the run is untouched, where the other pane shows an altered one, which its map says."""
        panes = self._session.document.panes
        runs = [self._session.run(index) for index in range(len(panes))]
        run = self._session.run(self._pane)
        if run is None or run.trace.alterations:
            return []
        altered = any(other is not None and other.trace.alterations for other in runs)
        return [run_state_text(run.trace)] if altered else []

    def _reset_clicked(self) -> None:
        view = self.shown
        if isinstance(view, MapView | FlowView):
            view.reset_zoom()

    def _map_zoomed(self, on: bool) -> None:
        self._set_zoomed(PaneView.MAP, on)

    def _flow_zoomed(self, on: bool) -> None:
        self._set_zoomed(PaneView.FLOW, on)

    def _set_zoomed(self, view: PaneView, on: bool) -> None:
        (self._zoomed.add if on else self._zoomed.discard)(view)
        self._show_tools()

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

    def _gold_clicked(self) -> None:
        self._session.activate_pane(self._pane)
        self.gold_asked.emit()

    def _run_chosen(self, run_id: str) -> None:
        self._session.activate_pane(self._pane)
        self._session.show_run(run_id, self._pane)
