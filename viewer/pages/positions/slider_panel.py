"""`SliderPanel`: a part of the Positions page that shows one picture with its sliders."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from viewer.document.positions.positions_choice import PositionsChoice
from viewer.figures.figure import AnyFigure
from viewer.pages.positions.part_view import PartView
from viewer.pages.positions.positions_tab import PositionsPanel
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.overflow_row import OverflowRow


class SliderPanel(PositionsPanel):
    """Sliders above a picture; where the model learned its positions, why there may be none."""

    needs_sinusoids = False
    rotations = False
    """Whether it shows rotations of queries and keys too."""

    def __init__(
        self, choice: PositionsChoice, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.choice = choice
        self.look = appearance
        self.view = PartView(appearance, self._figure)
        self.empty = EmptyState()
        self.bar = OverflowRow(appearance, spacing=18)
        shown = QWidget()
        column = QVBoxLayout(shown)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.bar)
        column.addWidget(self.view, 1)
        self._stack = QStackedWidget()
        self._stack.addWidget(shown)
        self._stack.addWidget(self.empty)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addWidget(self._stack)
        self.view.read_out.connect(self.read_out)
        self.view.pair_chosen.connect(choice.set_pair)
        self.view.offset_chosen.connect(choice.set_offset)
        self.view.moved.connect(self.move_by)
        self.empty.asked.connect(self._explore)
        choice.changed.connect(self.refresh)

    @property
    def picture(self) -> PartView:
        """What it shows."""
        return self.view

    def build(self) -> AnyFigure | None:
        """The figure of the table in view."""
        raise NotImplementedError

    def move_by(self, step: int) -> None:
        """The picture's arrow keys."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Show what is chosen."""
        table = self.choice.table
        lacking = self.needs_sinusoids and table is not None and table.base is None
        self._stack.setCurrentIndex(int(lacking))
        unknown = self.tr("These positions are computed by a formula that Headscope does not know.")
        learned = table is None or table.learned
        self.empty.say(self.why_none() if learned else unknown, self.tr("Show sinusoids"))
        self.view.mark_dirty()

    def why_none(self) -> str:
        """Why there is nothing to see of a learned table."""
        return ""

    def retranslate(self) -> None:
        """Take the language in force."""
        self.refresh()

    def _figure(self) -> AnyFigure | None:
        table = self.choice.table
        if self.choice.shown is None or not (self.rotations or table is not None):
            return None
        if table is not None and self.needs_sinusoids and table.base is None:
            return None
        figure = self.build()
        self.view.setAccessibleDescription("" if figure is None else figure.caption)
        return figure

    def _explore(self) -> None:
        self.choice.explore(True)
