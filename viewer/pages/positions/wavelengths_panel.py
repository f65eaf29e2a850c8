"""`WavelengthsPanel`: which pair of dimensions turns how fast."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from viewer.document.positions.positions_choice import PositionsChoice
from viewer.document.positions.positions_known import Rotary
from viewer.document.positions.positions_table import PositionTable
from viewer.figures.clocks.build import clocks_figure
from viewer.figures.clocks.rotary import rotary_clocks_figure
from viewer.figures.figure import AnyFigure
from viewer.pages.positions.number_row import NumberRow
from viewer.pages.positions.positions_tab import PositionsTab
from viewer.pages.positions.slider_panel import SliderPanel
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton
from viewer.pages.widgets.overflow_row import STAYS

translate = QCoreApplication.translate
_BEAT = 180  # milliseconds from one position to the next


class WavelengthsPanel(SliderPanel):
    """Which pair turns how fast: a plot of wavelengths and every pair's hand."""

    needs_sinusoids = True
    rotations = True

    def __init__(
        self, choice: PositionsChoice, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(choice, appearance, parent)
        self.play = IconButton(appearance, "play", strong=True)
        self.position, self.pair = NumberRow(appearance), NumberRow(appearance)
        self.timer = QTimer(self)
        self.timer.setInterval(_BEAT)
        self.bar.add(self.play, rank=STAYS)
        self.bar.add(self.position, 3)
        self.bar.add(self.pair, 2)
        self.play.clicked.connect(self._toggle)
        self.timer.timeout.connect(self._beat)
        self.position.chosen.connect(choice.set_position)
        self.pair.chosen.connect(choice.set_pair)
        self.retranslate()

    def build(self) -> AnyFigure | None:
        """The hands at the chosen position."""
        table, rotary = self.choice.table, self.choice.rotary
        if rotary is not None:
            return rotary_clocks_figure(rotary, position=self.choice.position, pair=self.choice.pair)
        if table is None:
            return None
        return clocks_figure(table, position=self.choice.position, pair=self.choice.pair)

    def move_by(self, step: int) -> None:
        """To another pair."""
        self.choice.set_pair(self.choice.pair + step)

    def refresh(self) -> None:
        """Show what is chosen."""
        super().refresh()
        choice = self.choice
        self.position.show_number(choice.position, 0, choice.last_position)
        self.pair.show_number(choice.pair, 0, choice.last_pair)

    def why_none(self) -> str:
        """Why there is nothing to see of a learned table."""
        return self.tr(
            "This model's positions are learned: no pair of dimensions turns at a speed of its own, "
            "so there are no wavelengths. Show sinusoids to see what they are."
        )

    def retranslate(self) -> None:
        """Take the language in force."""
        self.position.describe(self.tr("Position"), self.tr("Position whose hands are shown"))
        self.pair.describe(self.tr("Pair"), self.tr("Pair of dimensions to show"))
        self.view.setAccessibleName(self.tr("Wavelengths and hands of all pairs"))
        self._show_play()
        super().retranslate()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing turns unseen."""
        self._set_playing(False)
        super().hideEvent(event)

    def _toggle(self) -> None:
        self._set_playing(not self.timer.isActive())

    def _set_playing(self, on: bool) -> None:
        if on:
            self.timer.start()
        else:
            self.timer.stop()
        self._show_play()

    def _show_play(self) -> None:
        on = self.timer.isActive()
        self.play.set_icon("pause" if on else "play")
        self.play.describe(
            self.tr("Stop the hands") if on else self.tr("Let the hands turn, position by position")
        )

    def _beat(self) -> None:
        last = self.choice.last_position
        self.choice.set_position(0 if self.choice.position >= last else self.choice.position + 1)


WAVELENGTHS = PositionsTab(
    "wavelengths",
    lambda session, choice, appearance: WavelengthsPanel(choice, appearance),
    label=lambda choice: translate("PositionsPage", "Wavelengths"),
    tip=lambda choice: translate("PositionsPage", "How fast each pair of dimensions turns"),
    of=(PositionTable, Rotary),
)
