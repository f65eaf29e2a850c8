"""The Positions page: how the model in use marks where a token stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QSpinBox, QStackedWidget, QVBoxLayout, QWidget

from model.folder.families import Family
from model.positions.position_facts import NoPositions
from viewer.document.messages.messages import ModelInfo
from viewer.document.positions.positions_choice import PositionsChoice
from viewer.document.positions.positions_known import call, facts_of
from viewer.document.scene import whole, wholes
from viewer.document.session import Session
from viewer.document.text.model_text import family_of
from viewer.figures.figure import FigureSpec
from viewer.figures.request import ExportRequest, Page
from viewer.figures.rows import figure_rows
from viewer.pages.positions.bias_panel import BiasPanel
from viewer.pages.positions.decode_panel import DecodePanel
from viewer.pages.positions.encoding_panel import EncodingPanel
from viewer.pages.positions.explore_bar import ExploreBar, SourceTabs
from viewer.pages.positions.known_tabs import KnownTabs
from viewer.pages.positions.panels import BasesPanel, DistancePanel, RotationPanel, WavelengthsPanel
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import card, label, tab_button
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.overflow_row import OverflowRow
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded

if TYPE_CHECKING:
    from viewer.pages.positions.positions_view import PositionsView
    from viewer.pages.widgets.figure_view import FigureView

ENCODING, WAVELENGTHS, ROTATION, DISTANCE, BASES, DECODE, BIAS = range(7)
TABS = ("encoding", "wavelengths", "rotation", "distance", "bases", "decode", "bias")
"""Names of the tabs, as files know them."""
_OF_ROTATIONS = (ENCODING, WAVELENGTHS, ROTATION, DECODE)
_OF_A_BIAS = (BIAS, DECODE)
_OF_A_TABLE = (ENCODING, WAVELENGTHS, ROTATION, DISTANCE, BASES, DECODE)


class PositionsPage(Worded, QWidget):
    """A row of tabs: the encoding, its wavelengths, its rotation, distances, two bases, what it is worth.

    Of rotations of queries and keys, and of a bias by distance, those that they have.

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
        self.bias = BiasPanel(self.choice, appearance)
        self.panels: tuple[QWidget, ...] = (
            self.encoding, self.wavelengths, self.rotation, self.distance, self.bases, self.decode, self.bias,
        )  # fmt: skip
        self.known = KnownTabs(self.choice)
        self.source, self.explore = SourceTabs(self.choice), ExploreBar(self.choice, appearance)
        self.empty = EmptyState()
        self.explanation = label("muted")
        self.explanation.setWordWrap(True)
        self._later: tuple[str, Mapping[str, Any]] | None = None  # a scene that waits for a model
        self._group = QButtonGroup(self)
        self.tabs = tuple(tab_button(self._group, index) for index in range(len(self.panels)))
        self._lay_out(appearance)
        self._connect()
        self.show_tab(ENCODING)
        self._changed()

    def _lay_out(self, appearance: Appearance) -> None:
        # From the outside in: Qt styles all that a widget holds anew each time it is put into another.
        self._stack = QStackedWidget(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)
        self._stack.addWidget(frame := card())
        row = OverflowRow(appearance, spacing=2)
        self._panels = QStackedWidget()
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(16, 10, 16, 12)
        inside.setSpacing(8)
        inside.addWidget(row)
        inside.addWidget(self.explore)
        inside.addWidget(self.explanation)
        inside.addWidget(self._panels, 1)
        for tab in (self.tabs[BIAS], *self.tabs[:BIAS]):
            tab.setProperty("framed", True)
            row.add(tab)
        row.add_stretch()
        row.add(self.known, rank=2)
        row.add(self.source, rank=3)
        for panel in self.panels:
            self._panels.addWidget(panel)
        empty_card = card()
        QVBoxLayout(empty_card).addWidget(self.empty)
        self._stack.addWidget(empty_card)

    def _connect(self) -> None:
        self._group.idClicked.connect(self.show_tab)
        self.empty.asked.connect(self.model_asked)
        self.decode.look_asked.connect(self.look_asked)
        self.encoding.read_out.connect(self.read_out)
        for panel in (self.wavelengths, self.rotation, self.distance, self.bases, self.bias):
            panel.read_out.connect(self.read_out)
        self.choice.changed.connect(self._changed)

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

    def scene(self) -> tuple[str, dict[str, Any]]:
        """The tab in view and what is chosen, for `show_scene`."""
        state = self.choice.to_json()
        return TABS[self.tab], {**state, "count": self.count.value(), "curves": list(self.curves)}

    @property
    def scene_name(self) -> str:
        """What to call it."""
        return self.tabs[self.tab].text()

    def show_scene(self, tab: str, state: Mapping[str, Any]) -> None:
        """Show a tab as it was; what this model's positions do not have is left out."""
        self._later = (tab, state) if self._session.model is None else None
        self.choice.take_json(state)
        self.encoding.show_part(whole(state, "count", self.count.value()), wholes(state, "curves"))
        if tab in TABS and TABS.index(tab) in self._offered:
            self.show_tab(TABS.index(tab))

    @property
    def picture(self) -> QWidget:
        """What the keys belong to while nothing is typed."""
        views: dict[int, QWidget] = {
            ENCODING: self.encoding.view,
            WAVELENGTHS: self.wavelengths.view,
            ROTATION: self.rotation.view,
            DISTANCE: self.distance.view,
            BASES: self.bases.view,
            BIAS: self.bias.view,
        }
        return views.get(self.tab, self)

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
        views: dict[int, FigureView] = dict(enumerate((self.encoding.view, *rest)))
        views[BIAS] = self.bias.view
        return views[self.tab].figure if self.tab in views else None

    def table(self) -> list[Sequence[object]]:
        """The numbers of the figure in view as rows of a CSV, the header first; empty without a figure."""
        figure = self.figure
        return [] if figure is None else list(figure_rows(figure))

    def exported(self) -> Page | None:
        """The figure in view with its numbers; None for what `render` makes too, which has more formats."""
        figure = self.figure
        if figure is None or self.tab == BIAS or (self.tab == ENCODING and not self.choice.exploring):
            return None
        names = ("positions", "wavelengths", "rotation", "distance", "two-bases")
        return Page(figure, names[self.tab], tuple(self.table()))

    def asked(self, request: ExportRequest) -> ExportRequest:
        """The request for what `render --view positions` makes of the model as the page shows it."""
        choice = self.choice
        if choice.shown is None:
            return request
        request = request.but(view="positions", stack=call(choice.known, choice.which))
        if choice.bias is not None:
            return request.but(positions=choice.length, bias_head=choice.head, curves=None)
        return request.but(positions=self.count.value(), curves=self.curves)

    def toggle_curve(self, dimension: int) -> None:
        """Draw a dimension's curve, or take it away."""
        self.encoding.toggle_curve(dimension)

    def retranslate(self) -> None:
        """Take the language in force."""
        self._name_tabs()
        self._say()

    def _name_tabs(self) -> None:
        encoding = self.tr("Encoding"), self.tr("The vectors that are added to the tokens")
        rotation = self.tr("Rotation"), self.tr("PE(pos + k) = R(k) · PE(pos), shown and checked")
        if self.choice.rotary is not None:
            encoding = self.tr("Angles"), self.tr("The angles by which queries and keys are turned")
            rotation = self.tr("Rotation"), self.tr("R(p)ᵀ R(p + k) = R(k): only the distance counts")
        names = (
            encoding,
            (self.tr("Wavelengths"), self.tr("Which pair of dimensions turns how fast")),
            rotation,
            (self.tr("Distance"), self.tr("How alike positions are, and how far apart")),
            (self.tr("Two bases"), self.tr("The paper's base beside another")),
            (self.tr("Without positions"), self.tr("The sentence translated without positions, or shuffled")),
            (self.tr("Bias"), self.tr("What is added to the scores by distance")),
        )
        for tab, (name, tip) in zip(self.tabs, names, strict=True):
            tab.setText(name)
            tab.setToolTip(plain(tip))

    @property
    def _offered(self) -> tuple[int, ...]:
        """The tabs that what is in view has."""
        if self.choice.rotary is not None:
            return _OF_ROTATIONS
        return _OF_A_BIAS if self.choice.bias is not None else _OF_A_TABLE

    def _changed(self) -> None:
        """Another model, or something else of it, may be in view."""
        if self._later is not None and self._session.model is not None:
            self.show_scene(*self._later)
        self._name_tabs()
        if self.choice.shown is not None and self.tab not in self._offered:
            self.show_tab(self._offered[0])
        else:
            self._say()

    def _say(self) -> None:
        info, own, nothing = self._session.model, self.choice.own, self.choice.shown is None
        self._stack.setCurrentIndex(int(nothing))
        for index, tab in enumerate(self.tabs):
            tab.setVisible(index in self._offered)
        self.known.show_where(self.tab != DECODE)
        self.source.setVisible(self.tab != DECODE and own is not None)
        self.explore.setVisible(self.choice.exploring and self.tab != DECODE)
        explained = self.tab in (BASES, BIAS) or (self.tab == ENCODING and not self.choice.exploring)
        self.explanation.setVisible(explained)
        if info is None:
            self.empty.say(self.tr("Open a model to see how it marks positions."), self.tr("Open model…"))
        elif nothing:
            self.empty.say(self._why_nothing(info), self.tr("Open another model…"))
        else:
            self.explanation.setText(self._explanation().format(name=info.name))

    def _why_nothing(self, info: ModelInfo) -> str:
        """Why there is nothing to see of the model's positions, a sentence."""
        known = any(isinstance(fact, NoPositions) and fact.known for fact in facts_of(info))
        text = self.tr("Headscope cannot show how {name} counts positions.")
        if known and family_of(info) is Family.ENCODER_ONLY:
            text = self.tr("{name} adds no positional encoding: it reads words without their order.")
        elif known:
            text = self.tr(
                "{name} adds no positional encoding: only the causal mask tells it the order of words."
            )
        return text.format(name=info.name)

    def _explanation(self) -> str:
        """A sentence on what is in view; `{name}` is the model's."""
        own = self.choice.own
        if self.choice.rotary is not None:
            return self.tr(
                "{name} turns queries and keys by angles that grow with the position (RoPE, Su et al. 2021): "
                "nothing is added to the embeddings."
            )
        if self.choice.bias is not None:
            return self.tr(
                "{name} adds a learned number to every score, by head and by how far the key is from the "
                "query (T5, Raffel et al. 2020): nothing is added to the embeddings."
            )
        if self.tab == BASES:
            return self.tr(
                "The paper's sinusoids have the base 10,000; lecture notes often print 1,000 by mistake. "
                "With a smaller base the slow pairs turn faster: positions far apart differ more, but repeat "
                "sooner."
            )
        if own is not None and own.learned:
            return self.tr("{name} learned its positions: one free vector for each, added to the embedding.")
        if own is not None and own.computed:
            return self.tr("{name} adds a computed vector for each position to the embedding.")
        if own is not None and own.stored:
            return self.tr(
                "{name} adds sines and cosines of falling frequency to every embedding (paper, 3.5); "
                "they are stored as a table among its weights."
            )
        return self.tr("{name} adds sines and cosines of falling frequency to every embedding (paper, 3.5).")
