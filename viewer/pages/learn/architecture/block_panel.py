"""BlockPanel: all that is told of one block, a picture of its attention, and where it leads."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from model.questions.wiring import Mix
from model.trace.trace import Trace
from viewer.document.document import ViewOptions
from viewer.document.scene import Place
from viewer.document.selection import MAP_VIEW, Numbers, Selection
from viewer.figures.architecture.anatomy import Anatomy
from viewer.figures.architecture.parts import Sizes
from viewer.figures.architecture.spec import Block
from viewer.pages.learn.architecture.doors import Door
from viewer.pages.learn.architecture.facts import block_facts
from viewer.pages.learn.architecture.told import formula, heading, paper, sentences
from viewer.pages.learn.small_map import SmallMap
from viewer.pages.learn.taught.formula_view import FormulaView
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import Label, label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.quiet_scroll import QuietScrollArea
from viewer.pages.widgets.worded import Worded


class _DoorButton(Worded, QPushButton):
    """A button as narrow as its column: what has no room ends in an ellipsis, and all of it is its tip."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number
        self._whole = ""
        self.setProperty("role", "door")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def say(self, text: str) -> None:
        """Take its words."""
        self._whole = text
        self.setAccessibleName(text)
        self.remeasure()

    def remeasure(self) -> None:
        """Show as much of them as there is room for."""
        shown = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, self.width() - 28)
        self.setText(shown.replace("&", "&&"))
        self.setToolTip("" if shown == self._whole else plain(self._whole))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more room, or less."""
        super().resizeEvent(event)
        self.remeasure()


class BlockPanel(Worded, QuietScrollArea):
    """A column that scrolls.

    Signals:
        place_asked: a `Place` that a button leads to.
    """

    place_asked = Signal(object)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.name, self.told, self.paper = label("heading"), label(), label("small")
        self.formula = FormulaView(appearance)
        self.map_name = label("small")
        self.map = SmallMap(appearance, 210)
        self._facts = QGridLayout()
        self._facts.setHorizontalSpacing(12)
        self._facts.setVerticalSpacing(2)
        self._facts.setColumnStretch(1, 1)
        self._lines: list[tuple[Label, Label]] = []
        self._doors: tuple[Door, ...] = ()
        self.buttons: list[_DoorButton] = []
        for one in (self.name, self.told, self.paper, self.map_name):
            one.setWordWrap(True)
        inside = QWidget()
        self._column = column = QVBoxLayout(inside)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(8)
        for part in (self.name, self.told, self.formula, self.paper):
            column.addWidget(part)
        column.addLayout(self._facts)
        column.addWidget(self.map_name)
        column.addWidget(self.map)
        self._buttons = QVBoxLayout()
        self._buttons.setSpacing(6)
        column.addSpacing(2)
        column.addLayout(self._buttons)
        column.addStretch(1)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inside)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Names and numbers that are shown."""
        return tuple((name.text(), value.text()) for name, value in self._lines if not name.isHidden())

    def show_block(
        self,
        anatomy: Anatomy,
        block: Block,
        sizes: Sizes | None,
        doors: Sequence[Door],
        mix: Mix | None = None,
    ) -> None:
        """Tell of another block; `mix`: what the decoder's layers read, where that is known."""
        self.name.setText(heading(anatomy, block))
        self.told.setText(sentences(anatomy, block))
        self.formula.show_formula(formula(anatomy, block))
        self.paper.setText(paper(anatomy, block))
        self._show_facts(block_facts(anatomy, block, sizes, mix))
        self._show_doors(tuple(doors))

    def show_map(self, trace: Trace | None, selection: Selection | None, name: str) -> None:
        """Show the weights of its attention; None for none."""
        there = trace is not None and selection is not None
        self.map.setVisible(there)
        self.map_name.setVisible(there)
        self.map_name.setText(name)
        if trace is not None and selection is not None:
            plain = selection.but(numbers=Numbers.WEIGHTS, view=MAP_VIEW, query=None, key=None)
            self.map.show_map(trace, plain, ViewOptions())

    def open_first(self) -> None:
        """Go through the first door."""
        if self._doors:
            self.place_asked.emit(self._doors[0].place)

    def set_plain(self, on: bool) -> None:
        """Leave only what an audience should see."""
        for button in self.buttons[len(self._doors) :]:
            button.hide()
        for index, button in enumerate(self.buttons[: len(self._doors)]):
            button.setVisible(not on or index == 0)

    def _show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        while len(self._lines) < len(facts):
            pair = (label("muted"), label())
            pair[1].setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            pair[1].setFocusPolicy(Qt.FocusPolicy.NoFocus)
            for place, one in enumerate(pair):
                self._facts.addWidget(one, len(self._lines), place)
            self._lines.append(pair)
        for index, (name, value) in enumerate(self._lines):
            there = index < len(facts)
            name.setVisible(there)
            value.setVisible(there)
            name.setText(facts[index][0] if there else "")
            value.setText(facts[index][1] if there else "")

    def _show_doors(self, doors: tuple[Door, ...]) -> None:
        self._doors = doors
        while len(self.buttons) < len(doors):
            button = _DoorButton(len(self.buttons))
            button.clicked.connect(self._clicked)
            self._buttons.addWidget(button)
            self.buttons.append(button)
        for index, button in enumerate(self.buttons):
            there = index < len(doors)
            button.setVisible(there)
            button.say(doors[index].text if there else "")

    def _clicked(self) -> None:
        button = self.sender()
        if isinstance(button, _DoorButton):
            place: Place = self._doors[button.number].place
            self.place_asked.emit(place)
