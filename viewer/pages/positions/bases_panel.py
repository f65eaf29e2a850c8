"""`BasesPanel`: the paper's base beside another."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from viewer.document.positions.positions_choice import PositionsChoice
from viewer.document.positions.positions_table import PositionTable
from viewer.figures.bases.build import bases_figure
from viewer.figures.figure import AnyFigure
from viewer.pages.positions.explore_bar import BaseRow
from viewer.pages.positions.number_row import NumberRow
from viewer.pages.positions.positions_tab import PositionsTab
from viewer.pages.positions.slider_panel import SliderPanel
from viewer.pages.widgets.appearance import Appearance

translate = QCoreApplication.translate


class BasesPanel(SliderPanel):
    """The paper's base beside another."""

    needs_sinusoids = True

    def __init__(
        self, choice: PositionsChoice, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(choice, appearance, parent)
        self.base = BaseRow(choice, appearance)
        self.count = NumberRow(appearance)
        self.bar.add(self.base, 3)
        self.bar.add(self.count, 2)
        self.count.chosen.connect(choice.set_count)
        self.retranslate()

    def build(self) -> AnyFigure | None:
        """Both bases at the table's d_model."""
        table, choice = self.choice.table, self.choice
        assert table is not None
        return bases_figure(
            table, other=choice.base, count=choice.count, offset=choice.offset, pair=choice.pair
        )

    def move_by(self, step: int) -> None:
        """To another offset."""
        self.choice.set_offset(self.choice.offset + step)

    def refresh(self) -> None:
        """Show what is chosen."""
        super().refresh()
        self.base.refresh()
        self.base.setVisible(not self.choice.exploring)  # one slider of the base is enough
        self.count.show_number(self.choice.count, 2, self.choice.most)

    def why_none(self) -> str:
        """Why there is nothing to see of a learned table."""
        return self.tr(
            "This model's positions are learned: they have no base. Show sinusoids to see what the base does."
        )

    def retranslate(self) -> None:
        """Take the language in force."""
        self.base.retranslate()
        self.count.describe(self.tr("Positions"), self.tr("How many positions to compare, from the first"))
        self.view.setAccessibleName(self.tr("The paper's base beside another"))
        super().retranslate()


def _explained(choice: PositionsChoice) -> str:
    return translate(
        "PositionsPage",
        "The paper's sinusoids have the base 10,000; lecture notes often print 1,000 by mistake. "
        "With a smaller base the slow pairs turn faster: positions far apart differ more, but repeat "
        "sooner.",
    )


BASES = PositionsTab(
    "bases",
    lambda session, choice, appearance: BasesPanel(choice, appearance),
    label=lambda choice: translate("PositionsPage", "Two bases"),
    tip=lambda choice: translate("PositionsPage", "The paper's base beside another"),
    of=(PositionTable,),
    explained=_explained,
    file_name="two-bases",
)
