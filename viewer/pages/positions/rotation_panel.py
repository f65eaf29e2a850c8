"""`RotationPanel`: going on by k positions is a rotation."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from viewer.document.positions.positions_choice import PositionsChoice
from viewer.document.positions.positions_known import Rotary
from viewer.document.positions.positions_table import PositionTable
from viewer.figures.figure import AnyFigure
from viewer.figures.rotation.build import rotation_figure
from viewer.figures.rotation.rotary import rotary_rotation_figure
from viewer.pages.positions.number_row import NumberRow
from viewer.pages.positions.positions_tab import PositionsTab
from viewer.pages.positions.slider_panel import SliderPanel
from viewer.pages.widgets.appearance import Appearance

translate = QCoreApplication.translate


class RotationPanel(SliderPanel):
    """R(k) · PE(pos) = PE(pos + k), or R(p)ᵀ R(p + k) = R(k) of queries and keys, shown and checked."""

    needs_sinusoids = True
    rotations = True

    def __init__(
        self, choice: PositionsChoice, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(choice, appearance, parent)
        self.position, self.offset = NumberRow(appearance), NumberRow(appearance)
        self.pair = NumberRow(appearance)
        for row, choose in (
            (self.position, choice.set_position),
            (self.offset, choice.set_offset),
            (self.pair, choice.set_pair),
        ):
            self.bar.add(row, 1)
            row.chosen.connect(choose)
        self.retranslate()

    def build(self) -> AnyFigure | None:
        """The rotation from the chosen position."""
        table, choice = self.choice.table, self.choice
        if choice.rotary is not None:
            return rotary_rotation_figure(
                choice.rotary, position=choice.position, offset=choice.offset, pair=choice.pair
            )
        if table is None:
            return None
        return rotation_figure(table, position=choice.position, offset=choice.offset, pair=choice.pair)

    def move_by(self, step: int) -> None:
        """To another pair."""
        self.choice.set_pair(self.choice.pair + step)

    def refresh(self) -> None:
        """Show what is chosen."""
        super().refresh()
        choice = self.choice
        self.position.show_number(choice.position, 0, choice.last_position)
        self.offset.show_number(choice.offset, 0, choice.last_offset)
        self.pair.show_number(choice.pair, 0, choice.last_pair)

    def why_none(self) -> str:
        """Why there is nothing to see of a learned table."""
        return self.tr(
            "This model's positions are learned: nothing makes PE(pos + k) a rotation of PE(pos). "
            "Show sinusoids to see one."
        )

    def retranslate(self) -> None:
        """Take the language in force."""
        self.position.describe(self.tr("Position"), self.tr("Position pos to start from"))
        self.offset.describe(self.tr("Offset k"), self.tr("Offset k: how many positions ahead"))
        self.pair.describe(self.tr("Pair"), self.tr("Pair of dimensions to show"))
        self.view.setAccessibleName(self.tr("Rotation from one position to another"))
        super().retranslate()


def _tip(choice: PositionsChoice) -> str:
    if choice.rotary is not None:
        return translate("PositionsPage", "R(p)ᵀ R(p + k) = R(k): only the distance counts")
    return translate("PositionsPage", "PE(pos + k) = R(k) · PE(pos), shown and checked")


ROTATION = PositionsTab(
    "rotation",
    lambda session, choice, appearance: RotationPanel(choice, appearance),
    label=lambda choice: translate("PositionsPage", "Rotation"),
    tip=_tip,
    of=(PositionTable, Rotary),
)
