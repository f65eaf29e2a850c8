"""The Positions page: how the model in use marks where a token stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSpinBox, QStackedWidget, QVBoxLayout, QWidget

from viewer.export.positions_csv import positions_rows
from viewer.export.request import Page
from viewer.state.figure import FigureSpec
from viewer.state.positions_choice import PositionsChoice
from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.buttons import card, label, tab_button
from viewer.views.empty_state import EmptyState
from viewer.views.positions.decode_panel import DecodePanel
from viewer.views.positions.encoding_panel import EncodingPanel
from viewer.views.positions.explore_bar import ExploreBar, SourceTabs
from viewer.views.positions.panels import BasesPanel, DistancePanel, RotationPanel, WavelengthsPanel

if TYPE_CHECKING:
    from viewer.views.figure_view import FigureView
    from viewer.views.positions_view import PositionsView

ENCODING, WAVELENGTHS, ROTATION, DISTANCE, BASES, DECODE = range(6)


class PositionsPage(QWidget):
    """A row of tabs: the encoding, its wavelengths, its rotation, distances, two bases, what it is worth.

    Signals:
        read_out: what the pointer is on.
        model_asked: the empty state's button.
        look_asked: go and see the run without positions on the Look page.
    """

    read_out = Signal(str)
    model_asked = Signal()
    look_asked = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setObjectName("page")
        self.choice = PositionsChoice(session, self)
        self.encoding = EncodingPanel(self.choice, appearance)
        self.wavelengths = WavelengthsPanel(self.choice, appearance)
        self.rotation = RotationPanel(self.choice, appearance)
        self.distance = DistancePanel(self.choice, appearance)
        self.bases = BasesPanel(self.choice, appearance)
        self.decode = DecodePanel(session, appearance)
        self.panels: tuple[QWidget, ...] = (
            self.encoding, self.wavelengths, self.rotation, self.distance, self.bases, self.decode,
        )  # fmt: skip
        self.source, self.explore = SourceTabs(self.choice), ExploreBar(self.choice, appearance)
        self.empty = EmptyState()
        self.explanation = label("muted")
        self.explanation.setWordWrap(True)
        self._group = QButtonGroup(self)
        self.tabs = tuple(tab_button(self._group, index) for index in range(len(self.panels)))
        self._lay_out()
        self._connect()
        self.show_tab(ENCODING)
        self.retranslate()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(2)
        self._panels = QStackedWidget()
        for tab, panel in zip(self.tabs, self.panels, strict=True):
            tab.setProperty("framed", True)
            row.addWidget(tab)
            self._panels.addWidget(panel)
        row.addStretch(1)
        row.addWidget(self.source)
        frame = card()
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(16, 10, 16, 12)
        inside.setSpacing(8)
        inside.addLayout(row)
        inside.addWidget(self.explore)
        inside.addWidget(self.explanation)
        inside.addWidget(self._panels, 1)
        self._stack = QStackedWidget()
        self._stack.addWidget(frame)
        empty_card = card()
        QVBoxLayout(empty_card).addWidget(self.empty)
        self._stack.addWidget(empty_card)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)

    def _connect(self) -> None:
        self._group.idClicked.connect(self.show_tab)
        self.empty.asked.connect(self.model_asked)
        self.decode.look_asked.connect(self.look_asked)
        for panel in (self.encoding, self.wavelengths, self.rotation, self.distance, self.bases):
            panel.read_out.connect(self.read_out)
        self.choice.changed.connect(self._say)

    @property
    def tab(self) -> int:
        """Which of the tabs is shown: `ENCODING`, `WAVELENGTHS`, …"""
        return self._panels.currentIndex()

    def show_tab(self, index: int) -> None:
        """Show a tab by its place."""
        self._panels.setCurrentIndex(index)
        self.tabs[index].setChecked(True)
        self._say()
        self.read_out.emit("")

    @property
    def view(self) -> PositionsView:
        """The picture of the encoding."""
        return self.encoding.view

    @property
    def count(self) -> QSpinBox:
        """How many positions the encoding's picture shows."""
        return self.encoding.count

    @property
    def curves(self) -> tuple[int, ...]:
        """The dimensions drawn as curves, ascending."""
        return self.encoding.curves

    @property
    def figure(self) -> FigureSpec | None:
        """The figure in view; None on the tab of translations, and where there is nothing to see."""
        rest = (panel.view for panel in (self.wavelengths, self.rotation, self.distance, self.bases))
        views: tuple[FigureView, ...] = (self.encoding.view, *rest)
        return views[self.tab].figure if self.tab < len(views) else None

    def table(self) -> list[Sequence[object]]:
        """The numbers of the figure in view as rows of a CSV, the header first; empty without a figure."""
        figure = self.figure
        return [] if figure is None else list(positions_rows(figure))

    def exported(self) -> Page | None:
        """The figure in view with its numbers; None for the model's own encoding, which has more formats."""
        figure = self.figure
        if figure is None or (self.tab == ENCODING and self.choice.table is self.choice.own):
            return None
        names = ("positions", "wavelengths", "rotation", "distance", "two-bases")
        return Page(figure, names[self.tab], tuple(self.table()))

    def toggle_curve(self, dimension: int) -> None:
        """Draw a dimension's curve, or take it away."""
        self.encoding.toggle_curve(dimension)

    def retranslate(self) -> None:
        """Take the language in force."""
        names = (
            (self.tr("Encoding"), self.tr("The vectors that are added to the tokens")),
            (self.tr("Wavelengths"), self.tr("Which pair of dimensions turns how fast")),
            (self.tr("Rotation"), self.tr("PE(pos + k) = R(k) · PE(pos), shown and checked")),
            (self.tr("Distance"), self.tr("How alike positions are, and how far apart")),
            (self.tr("Two bases"), self.tr("The paper's base beside another")),
            (self.tr("Without positions"), self.tr("The sentence translated without positions, or shuffled")),
        )
        for tab, (name, tip) in zip(self.tabs, names, strict=True):
            tab.setText(name)
            tab.setToolTip(tip)
        self._say()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _say(self) -> None:
        info, own = self._session.model, self.choice.own
        self._stack.setCurrentIndex(int(own is None))
        self.source.setVisible(self.tab != DECODE)
        self.explore.setVisible(self.choice.exploring and self.tab != DECODE)
        explained = self.tab == BASES or (self.tab == ENCODING and not self.choice.exploring)
        self.explanation.setVisible(explained)
        if info is None:
            self.empty.say(self.tr("Open a model to see how it marks positions."), self.tr("Open model…"))
        elif own is None:
            text = self.tr(
                "{name} adds no positional encoding: only the causal mask tells it the order of words."
            )
            self.empty.say(text.format(name=info.name), self.tr("Open another model…"))
        elif self.tab == BASES:
            text = self.tr(
                "The paper's sinusoids have the base 10,000; lecture notes often print 1,000 by mistake. "
                "With a smaller base the slow pairs turn faster: positions far apart differ more, but repeat "
                "sooner."
            )
            self.explanation.setText(text)
        elif own.base is None:
            text = self.tr("{name} learned its positions: one free vector for each, added to the embedding.")
            self.explanation.setText(text.format(name=info.name))
        else:
            text = self.tr(
                "{name} adds sines and cosines of falling frequency to every embedding (paper, 3.5)."
            )
            self.explanation.setText(text.format(name=info.name))
