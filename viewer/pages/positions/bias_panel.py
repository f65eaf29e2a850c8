"""The bias that a model adds to its scores by distance."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from viewer.document.positions.positions_choice import LEAST_LENGTH, MOST_LENGTH, PositionsChoice
from viewer.document.positions.positions_known import Bias
from viewer.figures.bias.build import bias_figure
from viewer.figures.figure import AnyFigure
from viewer.figures.request import ExportRequest
from viewer.pages.positions.number_row import NumberRow
from viewer.pages.positions.positions_tab import PositionsTab
from viewer.pages.positions.slider_panel import SliderPanel
from viewer.pages.widgets.appearance import Appearance

translate = QCoreApplication.translate


class BiasPanel(SliderPanel):
    """Every head's bias by distance, one head's over queries and keys."""

    def __init__(
        self, choice: PositionsChoice, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(choice, appearance, parent)
        self.head, self.length = NumberRow(appearance), NumberRow(appearance)
        for row in (self.head, self.length):
            self.bar.add(row, 1)
        self.head.chosen.connect(self._head_chosen)
        self.length.chosen.connect(choice.set_length)
        self.view.head_chosen.connect(choice.set_head)
        self.retranslate()

    def build(self) -> AnyFigure | None:
        """The bias in view."""
        bias, choice = self.choice.bias, self.choice
        return None if bias is None else bias_figure(bias, head=choice.head, length=choice.length)

    def asked(self, request: ExportRequest) -> ExportRequest:
        """As many queries and keys as are drawn, and the head that is looked at."""
        return request.but(positions=self.choice.length, bias_head=self.choice.head, curves=None)

    def move_by(self, step: int) -> None:
        """To another head."""
        self.choice.set_head(self.choice.head + step)

    def refresh(self) -> None:
        """Show what is chosen."""
        super().refresh()
        bias = self.choice.bias
        self.head.show_number(self.choice.head + 1, 1, 1 if bias is None else bias.heads)
        self.length.show_number(self.choice.length, LEAST_LENGTH, MOST_LENGTH)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.head.describe(self.tr("Head"), self.tr("Head whose bias is shown"))
        self.length.describe(
            self.tr("Queries and keys"), self.tr("For how many queries and keys the bias is drawn")
        )
        self.view.setAccessibleName(self.tr("Bias of every head by distance"))
        super().retranslate()

    def _figure(self) -> AnyFigure | None:
        figure = self.build()
        self.view.setAccessibleDescription("" if figure is None else figure.caption)
        return figure

    def _head_chosen(self, number: int) -> None:
        self.choice.set_head(number - 1)


def _explained(choice: PositionsChoice) -> str:
    return translate(
        "PositionsPage",
        "{name} adds a learned number to every score, by head and by how far the key is from the "
        "query (T5, Raffel et al. 2020): nothing is added to the embeddings.",
    )


BIAS = PositionsTab(
    "bias",
    lambda session, choice, appearance: BiasPanel(choice, appearance),
    label=lambda choice: translate("PositionsPage", "Bias"),
    tip=lambda choice: translate("PositionsPage", "What is added to the scores by distance"),
    of=(Bias,),
    explained=_explained,
    commanded=lambda choice: True,
)
