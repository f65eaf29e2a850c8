"""One pane of the Look page: its title, its run, its badges, its buttons and its view: map, flow, ..."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from viewer.guarded import Guarded
from viewer.state.alteration_text import run_state_text
from viewer.state.figure import Body, MapSpec
from viewer.state.numbers import SCORES, shown_numbers
from viewer.state.numbers_text import numbers_title
from viewer.state.selection import PaneView
from viewer.state.session import Session
from viewer.views.all_heads_view import AllHeadsView
from viewer.views.appearance import Appearance
from viewer.views.flow_tools import FlowTools
from viewer.views.flow_view import FlowView
from viewer.views.go_to_line import GoToLine
from viewer.views.invitation import Invitation
from viewer.views.map_view import MapView
from viewer.views.pane_head import PaneHead
from viewer.views.plain_tip import plain
from viewer.views.words_tools import WordsTools
from viewer.views.words_view import WordsView


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
        self.head = head = PaneHead(session, appearance, pane, self)
        self.title, self.badges, self.runs = head.title, head.badges, head.runs
        self.tabs, self.numbers, self.gold = head.tabs, head.numbers, head.gold
        self.reset, self.sqrt, self.second = head.reset, head.sqrt, head.second
        self.pin, self.close_button = head.pin, head.close_button
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
            PaneView.WORDS: WordsTools(session, appearance, pane),
        }
        self.go_to = GoToLine(session, appearance, pane, lambda: self.shown)
        self.empty = Invitation(session)
        self._zoomed: set[PaneView] = set()
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
        self._stack = QStackedLayout()
        for view in self.views.values():
            self._stack.addWidget(view)
        self.empty.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)  # a low pane's too
        self._stack.addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 10, 10)
        column.setSpacing(4)
        column.addWidget(self.head)
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
    def picture(self) -> QWidget:
        """What the keys belong to: the view, or the pane itself while it has none to show."""
        return self if self._stack.currentWidget() is self.empty else self.shown

    @property
    def body(self) -> Body | None:
        """What it shows, up to date; None for an empty pane."""
        figure = self.shown.figure
        return None if figure is None else figure.body

    def refresh(self) -> None:
        """Show the title, badges and frame of the pane as it is now."""
        spec = self.body
        self._stack.setCurrentWidget(self.empty if spec is None and not self.shown.waiting else self.shown)
        if self.window().focusWidget() is self:  # there was no picture to have it
            self.picture.setFocus()
        self.title.setText(title := self._title() if spec is None else spec.title)
        names = [title] if title else []
        if isinstance(spec, MapSpec):  # a low map has no room for the names of its axes
            names += [spec.row_title, spec.column_title]
        self.title.setToolTip(plain("\n".join(names)))
        two = len(self._session.document.panes) > 1
        there = spec is not None or self.shown.holding  # a header that comes and goes would make it jump
        if spec is not None or not there:
            badges = [*self._run_badge(), *spec.badges] if spec is not None else []
            self.head.show_badges(badges, two=two)
            if isinstance(spec, MapSpec) and spec.gold is not None:
                self.badges.setToolTip(plain("\n".join([*badges, spec.gold.note])))
        self.sqrt.setChecked(self._session.view.sqrt_scale)
        self.sqrt.setEnabled(spec is not None and not (isinstance(spec, MapSpec) and spec.numbers in SCORES))
        self.second.setEnabled(there)
        # Before an audience the title has their room; the menu has them too.
        self.second.setVisible(self._pane == 0 and not two and not self._look.present)
        self.pin.setVisible(not self._look.present)
        self._show_run()
        self.head.arrange(self.height())
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
        """Another size has room for more or less of the header."""
        super().resizeEvent(event)
        self.head.arrange(self.height())

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
