"""`DistancePanel`: how alike positions are, and how far apart."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from viewer.document.positions.positions_choice import PositionsChoice
from viewer.document.positions.positions_table import PositionTable
from viewer.figures.distance.build import distance_figure
from viewer.figures.figure import AnyFigure
from viewer.pages.positions.number_row import NumberRow
from viewer.pages.positions.positions_tab import PositionsTab
from viewer.pages.positions.slider_panel import SliderPanel
from viewer.pages.widgets.appearance import Appearance

translate = QCoreApplication.translate


class DistancePanel(SliderPanel):
    """How alike positions are, and how near the nearest two come."""

    def __init__(
        self, choice: PositionsChoice, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(choice, appearance, parent)
        self.count, self.offset = NumberRow(appearance), NumberRow(appearance)
        for row, choose in ((self.count, choice.set_count), (self.offset, choice.set_offset)):
            self.bar.add(row, 1)
            row.chosen.connect(choose)
        self.retranslate()

    def build(self) -> AnyFigure | None:
        """The distances among the first positions."""
        assert self.choice.table is not None
        return distance_figure(self.choice.table, count=self.choice.count, offset=self.choice.offset)

    def move_by(self, step: int) -> None:
        """To another offset."""
        self.choice.set_offset(self.choice.offset + step)

    def refresh(self) -> None:
        """Show what is chosen."""
        super().refresh()
        choice = self.choice
        self.count.show_number(choice.count, 2, choice.most)
        last = max(0, min(choice.last_offset, choice.count - 1))
        self.offset.show_number(min(choice.offset, last), 0, last)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.count.describe(self.tr("Positions"), self.tr("How many positions to compare, from the first"))
        self.offset.describe(self.tr("Offset k"), self.tr("Offset k: how far apart two positions are"))
        self.view.setAccessibleName(self.tr("Similarity by offset and smallest distance"))
        super().retranslate()


DISTANCE = PositionsTab(
    "distance",
    lambda session, choice, appearance: DistancePanel(choice, appearance),
    label=lambda choice: translate("PositionsPage", "Distance"),
    tip=lambda choice: translate("PositionsPage", "How similar positions are, and how far apart"),
    of=(PositionTable,),
)
