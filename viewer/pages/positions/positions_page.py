"""The Positions page: how the model in use marks where a token stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QStackedWidget, QVBoxLayout, QWidget

from model.folder.families import Family
from model.positions.position_facts import NoPositions
from viewer.document.messages.messages import ModelInfo
from viewer.document.positions.positions_choice import PositionsChoice
from viewer.document.positions.positions_known import call, facts_of
from viewer.document.positions.positions_table import PositionTable
from viewer.document.session import Session
from viewer.document.text.model_text import family_of
from viewer.figures.figure import AnyFigure
from viewer.figures.request import ExportRequest, Page
from viewer.figures.rows import figure_rows
from viewer.pages.positions.explore_bar import ExploreBar, SourceTabs
from viewer.pages.positions.known_tabs import KnownTabs
from viewer.pages.positions.positions_tab import PositionsPanel
from viewer.pages.positions.positions_tabs import POSITIONS_TABS
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import card, label, tab_button
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.lazy import begun
from viewer.pages.widgets.overflow_row import OverflowRow
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded


class PositionsPage(Worded, QWidget):
    """A row of tabs, those that what is in view of the model has: a table, rotations, or a bias by distance.

    Attributes:
        rows, panels, tabs: of each part what makes it known, its widget and its button, by name.
        parts: makes what is not made yet, a part each time that the next is asked for.

    Signals:
        read_out: what the pointer is on.
        model_asked: the empty state's button.
        look_asked: go and see the run without positions on the Look page.
    """

    read_out = Signal(str)
    model_asked = Signal()
    look_asked = Signal()

    def __init__(
        self,
        session: Session,
        appearance: Appearance,
        parent: QWidget | None = None,
        *,
        at_once: bool = True,
    ) -> None:
        """Args: at_once: make all of it now; else whoever makes it goes through its `parts`."""
        super().__init__(parent)
        self._session = session
        self.setObjectName("page")
        self.choice = PositionsChoice(session, self)
        self.rows = {row.name: row for row in POSITIONS_TABS}
        self.panels: dict[str, PositionsPanel] = {}
        self.known = KnownTabs(self.choice)
        self.source, self.explore = SourceTabs(self.choice), ExploreBar(self.choice, appearance)
        self.empty = EmptyState()
        self.explanation = label("muted")
        self.explanation.setWordWrap(True)
        self._later: tuple[str, Mapping[str, Any]] | None = None  # a scene that waits for a model
        self._group = QButtonGroup(self)
        self.tabs = {name: tab_button(self._group, index) for index, name in enumerate(self.rows)}
        self.is_whole = False
        self.parts = begun(self._make(appearance), at_once=at_once)

    def _make(self, appearance: Appearance) -> Iterator[None]:
        self._lay_out(appearance)
        yield
        for name, row in self.rows.items():
            self.panels[name] = row.make(self._session, self.choice, appearance)
            self._panels.addWidget(self.panels[name])
            yield
        self._connect()
        self.is_whole = True
        self.show_tab(self._offered[0])
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
        for tab in self.tabs.values():
            tab.setProperty("framed", True)
            row.add(tab)
        row.add_stretch()
        row.add(self.known, rank=2)
        row.add(self.source, rank=3)
        empty_card = card()
        QVBoxLayout(empty_card).addWidget(self.empty)
        self._stack.addWidget(empty_card)

    def _connect(self) -> None:
        self._group.idClicked.connect(self._tab_clicked)
        self.empty.asked.connect(self.model_asked)
        for panel in self.panels.values():
            panel.look_asked.connect(self.look_asked)
            panel.read_out.connect(self.read_out)
        self.choice.changed.connect(self._changed)

    @property
    def tab(self) -> str:
        """The name of the tab that is shown."""
        return list(self.rows)[self._panels.currentIndex()]

    def show_tab(self, name: str) -> None:
        """Show a tab by its name."""
        self._panels.setCurrentWidget(self.panels[name])
        self.tabs[name].setChecked(True)
        self._say()
        self.read_out.emit("")

    def scene(self) -> tuple[str, dict[str, Any]]:
        """The tab in view and what is chosen, for `show_scene`."""
        state = self.choice.to_json()
        for panel in self.panels.values():
            state |= panel.scene()
        return self.tab, state

    @property
    def scene_name(self) -> str:
        """What to call it."""
        return self.tabs[self.tab].text()

    def show_scene(self, tab: str, state: Mapping[str, Any]) -> None:
        """Show a tab as it was; what this model's positions do not have is left out."""
        self._later = (tab, state) if self._session.model is None else None
        self.choice.take_json(state)
        for panel in self.panels.values():
            panel.show_scene(state)
        if tab in self._offered:
            self.show_tab(tab)

    @property
    def picture(self) -> QWidget:
        """What the keys belong to while nothing is typed."""
        picture = self.panels[self.tab].picture
        return self if picture is None else picture

    @property
    def figure(self) -> AnyFigure | None:
        """The figure in view; None on a tab without a picture, and where there is nothing to see."""
        picture = self.panels[self.tab].picture
        return None if picture is None else picture.figure

    def table(self) -> list[Sequence[object]]:
        """The numbers of the figure in view as rows of a CSV, the header first; empty without a figure."""
        figure = self.figure
        return [] if figure is None else list(figure_rows(figure))

    def exported(self) -> Page | None:
        """The figure in view with its numbers; None for what `render` makes too, which has more formats."""
        figure, row = self.figure, self.rows[self.tab]
        if figure is None or row.commanded(self.choice):
            return None
        return Page(figure, row.file_name or row.name, tuple(self.table()))

    def asked(self, request: ExportRequest) -> ExportRequest:
        """The request for what `render --view positions` makes of the model as the page shows it."""
        choice = self.choice
        if choice.shown is None:
            return request
        request = request.but(view="positions", stack=call(choice.known, choice.which))
        return self.panels[self._offered[0]].asked(request)

    def retranslate(self) -> None:
        """Take the language in force."""
        self._name_tabs()
        self._say()

    def _name_tabs(self) -> None:
        for name, row in self.rows.items():
            self.tabs[name].setText(row.label(self.choice))
            self.tabs[name].setToolTip(plain(row.tip(self.choice)))

    @property
    def _offered(self) -> tuple[str, ...]:
        """The tabs that what is in view has; those of a table where nothing is."""
        sort = PositionTable if self.choice.shown is None else type(self.choice.shown)
        return tuple(name for name, row in self.rows.items() if sort in row.of)

    def _tab_clicked(self, index: int) -> None:
        self.show_tab(list(self.rows)[index])

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
        row = self.rows[self.tab]
        for name, tab in self.tabs.items():
            tab.setVisible(name in self._offered)
        self.known.show_where(row.about_known)
        self.source.setVisible(row.about_known and own is not None)
        self.explore.setVisible(row.about_known and self.choice.exploring)
        explained = row.explained(self.choice)
        self.explanation.setVisible(bool(explained))
        if info is None:
            self.empty.say(self.tr("Open a model to see how it marks positions."), self.tr("Open model…"))
        elif nothing:
            self.empty.say(self._why_nothing(info), self.tr("Open another model…"))
        else:
            self.explanation.setText(explained.format(name=info.name))

    def _why_nothing(self, info: ModelInfo) -> str:
        """Why there is nothing to see of the model's positions, a sentence."""
        known = any(isinstance(fact, NoPositions) and fact.known for fact in facts_of(info))
        text = self.tr("Headscope cannot show how {name} encodes positions.")
        if known and family_of(info) is Family.ENCODER_ONLY:
            text = self.tr("{name} adds no positional encoding: it reads words without their order.")
        elif known:
            text = self.tr(
                "{name} adds no positional encoding: only the causal mask tells it the order of words."
            )
        return text.format(name=info.name)
