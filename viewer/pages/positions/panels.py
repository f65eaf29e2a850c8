"""Panels of the Positions page that show one picture with its sliders."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from viewer.document.positions.positions_choice import PositionsChoice
from viewer.figures.bases.build import bases_figure
from viewer.figures.clocks.build import clocks_figure
from viewer.figures.clocks.rotary import rotary_clocks_figure
from viewer.figures.distance.build import distance_figure
from viewer.figures.figure import AnyFigure
from viewer.figures.rotation.build import rotation_figure
from viewer.figures.rotation.rotary import rotary_rotation_figure
from viewer.pages.positions.explore_bar import BaseRow
from viewer.pages.positions.number_row import NumberRow
from viewer.pages.positions.part_view import PartView
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.worded import Worded

_BEAT = 180  # milliseconds from one position to the next


class Panel(Worded, QWidget):
    """Sliders above a picture; where the model learned its positions, why there may be none.

    Signals:
        read_out: what the pointer is on.
    """

    read_out = Signal(str)
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


class WavelengthsPanel(Panel):
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
            "This model learned its positions: no pair of dimensions turns at a speed of its own, so there "
            "are no wavelengths. Look at sinusoids to see what they are."
        )

    def retranslate(self) -> None:
        """Take the language in force."""
        self.position.describe(self.tr("Position"), self.tr("Position whose hands are shown"))
        self.pair.describe(self.tr("Pair"), self.tr("Pair of dimensions to look at"))
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


class RotationPanel(Panel):
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
            "This model learned its positions: nothing makes PE(pos + k) a rotation of PE(pos). Look at "
            "sinusoids to see it hold."
        )

    def retranslate(self) -> None:
        """Take the language in force."""
        self.position.describe(self.tr("Position"), self.tr("Position pos to start from"))
        self.offset.describe(self.tr("Offset k"), self.tr("Offset k: how many positions further on"))
        self.pair.describe(self.tr("Pair"), self.tr("Pair of dimensions to look at"))
        self.view.setAccessibleName(self.tr("Rotation from one position to another"))
        super().retranslate()


class DistancePanel(Panel):
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


class BasesPanel(Panel):
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
            "This model learned its positions: they have no base. Look at sinusoids to see what it does."
        )

    def retranslate(self) -> None:
        """Take the language in force."""
        self.base.retranslate()
        self.count.describe(self.tr("Positions"), self.tr("How many positions to compare, from the first"))
        self.view.setAccessibleName(self.tr("The paper's base beside another"))
        super().retranslate()
