"""One pane of the Look page: its title, its run, its badges, its buttons and its view: map, flow, ..."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from viewer.document.alterations.alteration_text import altered_badges, output_badge, run_state_text
from viewer.document.selection import MAP_VIEW
from viewer.document.session import Session
from viewer.document.text.model_text import task_of
from viewer.figures.figure import Body
from viewer.figures.map.numbers import shown_numbers
from viewer.figures.map.numbers_text import numbers_title
from viewer.figures.registry import drawing_of
from viewer.model_samples import example_label
from viewer.pages.look.map.go_to_line import GoToLine
from viewer.pages.look.map.pane_head import PaneHead
from viewer.pages.look.pane_view import PaneFigure
from viewer.pages.look.pane_views import PANE_VIEWS, pane_view
from viewer.pages.look.run_chooser import RunChooser
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.before_paint import BeforePaint
from viewer.pages.widgets.buttons import IconButton, Label
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.shown_keys import keyed
from viewer.pages.widgets.worded import Worded

_MARGINS, _FLAT_MARGINS = (14, 10, 10, 10), (14, 6, 10, 4)


class Invitation(EmptyState):
    """Says how to begin; the button shows an example, or begins with a sample sentence."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        session.model_changed.connect(self.retranslate)
        self.retranslate()

    def retranslate(self) -> None:
        """Take the model and the language in force."""
        info = self._session.model
        if info is None or info.model_type == "headscope":
            text = self.tr("Type a sentence above and press Enter to see who attends to whom.")
        else:
            text = task_of(info).invitation
        drop = self.tr("Or drop a trace, a session or the folder of a model here.")
        self.say(f"{text}\n{drop}", example_label(info))


class MapPane(Worded, QFrame):
    """A map with its header; the active one of two is framed.

    The header tells of the figure in view, which is built for the next frame: it is written then too.

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
        self._appearance = appearance
        self._pane = pane
        self.setProperty("role", "pane")
        self.setProperty("active", False)
        self._late = BeforePaint(self, self.refresh)
        self._head = head = PaneHead(session, appearance, pane, self)
        self.tabs, self.numbers, self.gold = head.tabs, head.numbers, head.gold
        self.reset, self.close_button = head.reset, head.close_button
        self.views = {view.name: view.make(session, appearance, pane) for view in PANE_VIEWS}
        self.tools = {
            view.name: view.tools(session, appearance, pane) for view in PANE_VIEWS if view.tools is not None
        }
        self.go_to = GoToLine(session, appearance, pane, lambda: self.shown)
        self.empty = Invitation(session)
        self._zoomed: set[QObject] = set()
        self._plain = False
        self._lay_out()
        self._connect()
        self.retranslate()

    def _connect(self) -> None:
        self.reset.clicked.connect(self._reset_clicked)
        self._head.sqrt.clicked.connect(self._sqrt_clicked)
        self._head.second.clicked.connect(self._second_clicked)
        self._head.pin.clicked.connect(self._pin_clicked)
        self._head.runs.chosen.connect(self._run_chosen)
        self.close_button.clicked.connect(self._session.close_second_pane)
        self.empty.asked.connect(self.example_asked)
        self.gold.edit_asked.connect(self._gold_clicked)
        self._session.pane_changed.connect(self._pane_changed)
        session = self._session
        for signal in (
            session.panes_changed, session.runs_changed, session.run_grew, session.view_changed,
            session.pinned_changed,
        ):  # fmt: skip
            signal.connect(self._late.ask)
        session.panes_changed.connect(self._mark_active)
        for view in self.views.values():
            view.answered.connect(self._late.ask)
            view.zoomed.connect(self._zoom_changed)
        self._appearance.changed.connect(self._late.ask)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._focus_moved)

    def _lay_out(self) -> None:
        self._stack = QStackedLayout()
        for view in self.views.values():
            self._stack.addWidget(view)
        self.empty.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)  # a low pane's too
        self._stack.addWidget(self.empty)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(*_MARGINS)
        column.setSpacing(4)
        column.addWidget(self._head)
        for tools in self.tools.values():
            column.addWidget(tools)
        column.addWidget(self.go_to)
        column.addLayout(self._stack, 1)

    @property
    def head(self) -> PaneHead:
        """The header, up to date: title, badges and buttons."""
        self._late.now()
        return self._head

    @property
    def title(self) -> Label:
        """What is in view; of the header, up to date."""
        return self.head.title

    @property
    def badges(self) -> Label:
        """What is remarkable about it; of the header, up to date."""
        return self.head.badges

    @property
    def runs(self) -> RunChooser:
        """Which run that is; of the header, up to date."""
        return self.head.runs

    @property
    def sqrt(self) -> QPushButton:
        """Whether colours are those of square roots; of the header, up to date."""
        return self.head.sqrt

    @property
    def second(self) -> QPushButton:
        """Opens a second pane; of the header, up to date."""
        return self.head.second

    @property
    def pin(self) -> IconButton:
        """Whether the run is pinned; of the header, up to date."""
        return self.head.pin

    @property
    def map(self) -> PaneFigure[Any, Any]:
        """The view that a pane opens with."""
        return self.views[MAP_VIEW]

    @property
    def view(self) -> str:
        """The name of the view that the pane has now."""
        selection = self._session.selection(self._pane)
        return MAP_VIEW if selection is None else pane_view(selection.view).name

    @property
    def shown(self) -> PaneFigure[Any, Any]:
        """The view that the pane has now."""
        return self.views[self.view]

    @property
    def picture(self) -> QWidget:
        """What the keys belong to: the view, or the pane itself while it has none to show."""
        self._late.now()
        return self if self._stack.currentWidget() is self.empty else self.shown

    @property
    def body(self) -> Body | None:
        """What it shows, up to date; None for an empty pane."""
        figure = self.shown.figure
        return None if figure is None else figure.body

    def refresh(self) -> None:
        """Show the title, badges and frame of the pane as it is now."""
        spec = self.body
        shown = self.empty if spec is None and not self.shown.waiting else self.shown
        # Without a picture the pane has the keys. Left alone, Qt would give them to a button in the stack.
        had_keys = self.window().focusWidget() in (self, self._stack.currentWidget())
        self._stack.setCurrentWidget(shown)
        if had_keys:
            self.picture.setFocus()
        self._head.title.setText(title := self._title() if spec is None else spec.title)
        names = [title] if title else []
        drawing = None if spec is None else drawing_of(spec)
        if drawing is not None:
            names += drawing.axes(spec)
        self._head.title.setToolTip(plain("\n".join(names)))
        two = len(self._session.document.panes) > 1
        there = spec is not None or self.shown.holding  # a header that comes and goes would make it jump
        if spec is not None or not there:
            badges = [*self._run_badge(), *spec.badges] if spec is not None else []
            note = None if drawing is None else drawing.note(spec)
            self._head.show_badges(self._altered_first(badges), note or "", two=two)
        self._head.sqrt.setChecked(self._session.view.sqrt_scale)
        if not self.shown.reading:
            self._head.sqrt.setEnabled(drawing is not None and drawing.rooted(spec))
        self._head.second.setEnabled(there)
        # Before an audience the title has their room; the menu has them too.
        self._head.second.setVisible(self._pane == 0 and not two and not self._appearance.present)
        self._head.pin.setVisible(not self._appearance.present)
        self._show_run()
        self._head.arrange(self.height())
        self._show_tools()
        self._mark_active()

    def set_plain(self, on: bool) -> None:
        """Nothing but the figure and what must be said of it."""
        self._plain = on
        self._head.set_plain(on)
        self._late.ask()
        self._show_tools()

    def retranslate(self) -> None:
        """Take the language in force."""
        self.reset.describe(self.tr("Show the whole map (double-click)"))
        tip = self.tr("Colour by the square root, so that small weights show (S)")
        self._head.sqrt.setToolTip(plain(keyed(tip)))
        self._head.sqrt.setAccessibleName(self.tr("Square root scale"))
        self._head.second.setAccessibleName(self.tr("Second map"))
        self._head.second.setToolTip(self.tr("Keep this map and open a second one beside it"))
        self.close_button.describe(self.tr("Close this map"))
        for row in PANE_VIEWS:
            self.views[row.name].setAccessibleName(row.spoken())
            self.views[row.name].mark_dirty()  # its own event comes after this one
        self._late.ask()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while it was hidden."""
        super().showEvent(event)
        self._late.shown()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another size has room for more or less of the header."""
        super().resizeEvent(event)
        self._column.setContentsMargins(*(_FLAT_MARGINS if self._head.is_flat(self.height()) else _MARGINS))
        self._head.arrange(self.height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click anywhere in the pane makes it the active one."""
        self._session.activate_pane(self._pane)
        super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Frame the active one of two; in the colour of the focus only where the focus is."""
        super().paintEvent(event)
        if self.property("active"):
            focused = self.window().focusWidget()
            here = focused is not None and (focused is self or self.isAncestorOf(focused))
            colour = "accent" if here else "border_strong"
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._appearance.color(colour), 1.5))
            corner = self._appearance.px(8)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75), corner, corner)

    def _show_tools(self) -> None:
        """The row of the view that has one."""
        shown, there = (
            self._stack.currentWidget() is not self.empty,
            self._session.pane(self._pane) is not None,
        )
        for name, tools in self.tools.items():
            tools.setVisible(shown and there and name == self.view and not self._plain)
        self.reset.setVisible(there and self.shown in self._zoomed)

    def _show_run(self) -> None:
        """Which run the pane shows, where there are several, and whether it is pinned."""
        document, run = self._session.document, self._session.run(self._pane)
        # Large type has room for the badge or for the chooser.
        told = self._appearance.present and not self._head.badges.isHidden()
        self._head.runs.setVisible(run is not None and len(document.runs) > 1 and not told)
        if run is not None:
            self._head.runs.show_run(run.id)
        pinned = run is not None and run.id == document.pinned
        self._head.pin.setEnabled(run is not None)
        self._head.pin.setChecked(pinned)
        self._head.pin.describe(
            self.tr("Unpin this run") if pinned else self.tr("Pin this run, to compare others with it")
        )

    def _focus_moved(self) -> None:
        if self.property("active"):
            self.update()

    def _mark_active(self) -> None:
        active = len(self._session.document.panes) > 1 and self._session.active == self._pane
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

    def _altered_first(self, badges: list[str]) -> list[str]:
        """In one line what was done to the model stands before how its numbers are shown."""
        run = self._session.run(self._pane)
        if run is None or not run.trace.alterations:
            return badges
        altered = set(altered_badges(run.trace))
        selection = self._session.selection(self._pane)
        if selection is not None and selection.kind in run.trace.kinds:
            altered.add(output_badge(run.trace, selection.kind, selection.layer, selection.head))
        return sorted(badges, key=lambda badge: badge not in altered)

    def _reset_clicked(self) -> None:
        self.shown.reset_zoom()

    def _zoom_changed(self, on: bool) -> None:
        (self._zoomed.add if on else self._zoomed.discard)(self.sender())
        self._show_tools()

    def _pane_changed(self, pane: int) -> None:
        """Another run in the other pane changes what this one says of its own."""
        self._late.ask()

    def _sqrt_clicked(self) -> None:
        self._session.set_view(sqrt_scale=not self._session.view.sqrt_scale)
        self._late.ask()

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
