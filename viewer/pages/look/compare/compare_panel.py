"""The Compare drawer: the pinned run against the one in view."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from viewer.document.session import Session
from viewer.figures.difference.comparing import Comparing, comparing
from viewer.figures.figure import AnyFigure
from viewer.figures.request import Page
from viewer.pages.look.compare.carry_panel import CarryPanel
from viewer.pages.look.compare.compare_sides import CompareSides
from viewer.pages.look.compare.compare_words import most_different_head, summary
from viewer.pages.look.compare.difference_view import DifferenceView
from viewer.pages.look.compare.pane_link import link_of
from viewer.pages.look.compare.tokens_model import TokensModel
from viewer.pages.look.panel import LookPanel
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.before_paint import BeforePaint
from viewer.pages.widgets.buttons import card, elastic, label, tab_button
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.row_table import FittedTable, make_plain

_TABLE, _NARROW_TABLE = 400, 310
_NARROW = 1040  # a narrower panel leaves a column of the table out: the map needs the room
_HIGH = 260
_CARRY_LOW = 80  # behind the difference; beyond that it is scrolled, or the drawer enlarged
_LOG_CHANGE = 4  # that column: each token's line says its logarithms when pointed at


class ComparePanel(LookPanel):
    """Which runs are compared; their difference; their tokens; and a line that sums it up.

    Attributes:
        tools: the line that sums it up, which the drawer shows beside its tabs.
    """

    tools: OverflowRow

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self._shown: tuple[object, ...] = ()
        self.link = link_of(session)
        self.sides = CompareSides(session, appearance, self.link)
        self.map = DifferenceView(session, appearance)
        self.tools = OverflowRow(appearance)
        self.ways = QButtonGroup(self)
        self.difference, self.carry_over = (tab_button(self.ways, index) for index in range(2))
        self.carry = CarryPanel(session, appearance)
        self.summary = elastic(label("strong"))
        self.most = QPushButton()
        self.badges = elastic(label("badge"))
        self.hint = label("muted")
        self.tokens = TokensModel(appearance, self)
        self.table = FittedTable()
        self.empty = EmptyState()
        self._late = BeforePaint(self, self.refresh)
        self._lay_out()
        self.empty.asked.connect(self._pin)
        self.most.clicked.connect(self._go_to_most)
        self.table.clicked.connect(self._row_clicked)
        self.map.read_out.connect(self.read_out)
        self.map.failed.connect(self.failed)
        self.carry.read_out.connect(self.read_out)
        self.carry.failed.connect(self.failed)
        self.ways.idClicked.connect(self._late.ask)
        session.document_changed.connect(self._late.ask)
        appearance.changed.connect(self._late.ask)
        self.remeasure()
        self.retranslate()

    def remeasure(self) -> None:
        """Rows as high as the type in force needs."""
        self.table.verticalHeader().setMinimumSectionSize(self._appearance.px(20))
        self.table.verticalHeader().setDefaultSectionSize(self._appearance.px(24))

    def _lay_out(self) -> None:
        make_plain(self.table)
        self.table.show_model(self.tokens)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for column in (0, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self.most.setProperty("role", "link")
        self.hint.setWordWrap(True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.difference.setChecked(True)
        for way in (self.difference, self.carry_over):
            self.tools.add(way, rank=STAYS)
        self.tools.add(self.summary, 1, rank=STAYS)
        self.tools.add(self.sides.linked)
        self.tools.add(self.most)
        # From the outside in: Qt styles all that a widget holds anew each time it is put into another.
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(frame := card())
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(12, 6, 8, 6)
        self._stack = QStackedWidget()
        inside.addWidget(self._stack)
        full = QWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(full)
        self._column = QVBoxLayout(full)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._row = row = QHBoxLayout()
        row.setSpacing(12)
        self._column.addLayout(row, 1)
        centre = QVBoxLayout()
        centre.setSpacing(2)
        row.addWidget(self.sides)
        row.addLayout(centre, 5)
        self._middle = QStackedWidget()
        centre.addWidget(self.badges)
        centre.addWidget(self._middle, 1)
        self._middle.addWidget(self.map)
        self._middle.addWidget(self.hint)
        # Behind the map it must not keep the panel wide or high; in view it has the table's room too.
        self.carry.setMinimumSize(_CARRY_LOW, _CARRY_LOW)
        self._middle.addWidget(self.carry)
        row.addWidget(self.table, 3)

    def figure(self) -> AnyFigure | None:
        """The map of the difference, or what carrying over did."""
        return self.carry.figure if self.carrying else self.map.figure

    @property
    def carrying(self) -> bool:
        """Whether Carry over is in view, and not the difference."""
        return self.carry_over.isChecked()

    def exported(self) -> Page | None:
        """What Carry over shows, with its table; the difference is a view of its own."""
        return self.carry.exported() if self.carrying else None

    def retranslate(self) -> None:
        """Take the language in force."""
        self.map.setAccessibleName(self.tr("Map of the difference"))
        self.table.setAccessibleName(self.tr("Tokens of both runs"))
        self.difference.setText(self.tr("Difference"))
        self.carry_over.setText(self.tr("Carry over"))
        self.carry_over.setToolTip(
            self.tr("Put what the model computes for A into B, a head or a position at a time")
        )
        self.sides.retranslate()
        self._shown = ()
        self._late.ask()

    def refresh(self) -> None:
        """Show the two runs as they are now."""
        found = comparing(self._session.document)
        self._stack.setCurrentIndex(0 if found is None else 1)
        for widget in (self.summary, self.sides.linked, self.most, self.difference, self.carry_over):
            widget.setVisible(found is not None)
        if found is None:
            self._say_empty()
            return
        self.sides.refresh(found)
        self._show_tokens(found)
        if self.carrying:
            self._show_carried()
            return
        self.carry.setMinimumHeight(_CARRY_LOW)
        self._middle.setCurrentIndex(1 if found.same or not found.possible else 0)
        self.hint.setText(self._hint(found))
        spec = None if found.same else self.map.spec
        self.badges.setText("" if spec is None else "  ·  ".join(spec.badges))
        self.badges.setToolTip("" if spec is None else plain("\n".join(spec.badges)))
        self.badges.setVisible(spec is not None)
        text = "" if found.same else summary(found, spec)
        self.summary.setText(text)
        self.summary.setToolTip(plain(text))
        self._show_most(found, possible=spec is not None)

    def _show_carried(self) -> None:
        """Carry over: it has its own words, and takes the table's room."""
        self._middle.setCurrentWidget(self.carry)
        for widget in (self.table, self.badges, self.most, self.sides.linked):
            widget.hide()
        self.summary.setText("")
        self.carry.refresh()
        self.carry.setMinimumHeight(self.carry.minimumSizeHint().height())

    def showEvent(self, event: QShowEvent) -> None:
        """Take what changed while it was hidden."""
        super().showEvent(event)
        self._late.shown()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow panel keeps its room for the map; in a high one the choosers stand above it."""
        super().resizeEvent(event)
        narrow = self.width() < self._appearance.px(_NARROW)
        above = narrow and self.height() > self._appearance.px(_HIGH)
        if above != (self._row.indexOf(self.sides) < 0):
            self.sides.set_flat(above)
            (self._column if above else self._row).insertWidget(0, self.sides)
        self.table.setColumnHidden(_LOG_CHANGE, narrow)
        self.table.setMinimumWidth(self._appearance.px(_NARROW_TABLE if narrow else _TABLE))

    def _say_empty(self) -> None:
        if self._session.run() is None:
            self.empty.say(
                self.tr(
                    "Type a sentence above and pin its run to compare it with another, or drop two traces."
                )
            )
        else:
            self.empty.say(
                self.tr("Pin a run, then look at another sentence, branch or what-if beside it."),
                self.tr("Pin the run in view"),
            )

    def _hint(self, found: Comparing) -> str:
        if found.same:
            return self.tr(
                "The pinned run is the one in view: choose another for B, or create one by typing, "
                "branching or altering."
            )
        if not found.possible:
            return self.tr("These two runs have no map of this family to compare.")
        return ""

    def _show_tokens(self, found: Comparing) -> None:
        traces = found.first.trace, found.second.trace
        shown = (*traces, self._session.view.raw_pieces, self._appearance.palette)
        if [id(part) for part in shown] != [id(part) for part in self._shown]:
            self._shown = shown
            self.tokens.show_traces(*traces, self._session.view.raw_pieces)
        self.table.setVisible(bool(found.first.trace.steps or found.second.trace.steps) and not found.same)
        step, rows = found.selection.step, self.tokens.rows
        chosen = next((place for place, row in enumerate(rows) if row.second == step), -1)
        self.table.selectRow(chosen) if chosen >= 0 else self.table.clearSelection()

    def _show_most(self, found: Comparing, *, possible: bool) -> None:
        most = most_different_head(found) if possible else None
        selection = found.selection
        self.most.setVisible(most is not None and (selection.layer, selection.head) != most[:2])
        if most is not None:
            text = self.tr("Largest: layer {layer}, head {head} ({value})")
            value = f"{most[2]:.2f}" if most[2] >= 0.01 else f"{most[2]:.1e}"
            self.most.setToolTip(
                self.tr("The head of this family whose weights differ most, and by how much")
            )
            self.most.setText(text.format(layer=most[0] + 1, head=most[1] + 1, value=value))

    def _pin(self) -> None:
        run = self._session.run()
        if run is not None:
            self._session.pin(run.id)

    def _go_to_most(self) -> None:
        found = comparing(self._session.document)
        most = None if found is None or not found.possible else most_different_head(found)
        if found is not None and most is not None:
            self._session.activate_pane(found.pane)
            self._session.select_head(most[0], most[1], found.pane)

    def _row_clicked(self) -> None:
        found, place = comparing(self._session.document), self.table.currentIndex().row()
        if found is None or not 0 <= place < len(self.tokens.rows):
            return
        row = self.tokens.rows[place]
        for index, pane in enumerate(self._session.document.panes):
            step = {found.first.id: row.first, found.second.id: row.second}.get(pane.run_id)
            if step is not None:
                self._session.set_step(step, index)
