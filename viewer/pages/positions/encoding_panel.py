"""The encoding itself: heatmap, curves, similarity of positions; of rotations their angles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication, QSignalBlocker
from PySide6.QtWidgets import QPushButton, QSpinBox, QVBoxLayout, QWidget

from viewer.document.positions.positions_choice import PositionsChoice
from viewer.document.positions.positions_known import Rotary
from viewer.document.positions.positions_table import PositionTable
from viewer.document.scene import whole, wholes
from viewer.document.text.lists import names as listed
from viewer.figures.angles.build import opening_pairs
from viewer.figures.encoding.build import opening_curves
from viewer.figures.request import ExportRequest
from viewer.pages.positions.positions_tab import PositionsPanel, PositionsTab
from viewer.pages.positions.positions_view import PositionsView
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import elastic, indented, label
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow

translate = QCoreApplication.translate

_MOST_CURVES = 8
_MOST_POSITIONS, _FIRST_POSITIONS = 256, 64


class EncodingPanel(PositionsPanel):
    """The picture, and which of it to show."""

    def __init__(
        self, choice: PositionsChoice, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._choice = choice
        self._shape: tuple[int, ...] = ()
        self.curves: tuple[int, ...] = ()
        self.view = PositionsView(appearance)
        self.count, self.dimension = indented(QSpinBox()), indented(QSpinBox())
        self.add, self.clear = QPushButton(), QPushButton()
        self.chosen = elastic(label("muted"))
        self._count_label, self._dimension_label = label("muted"), label("muted")
        bar = OverflowRow(appearance, spacing=8)
        bar.add(self._count_label, rank=5)
        bar.add(self.count, rank=3)
        bar.add_space(16)
        bar.add(self._dimension_label, rank=5)
        bar.add(self.dimension, rank=2)
        bar.add(self.add, rank=1)
        bar.add(self.clear, rank=4)
        bar.add(self.chosen, 1, rank=STAYS)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(bar)
        column.addWidget(self.view, 1)
        self.count.valueChanged.connect(self._show)
        self.dimension.valueChanged.connect(self._show)
        self.add.clicked.connect(self._add_clicked)
        self.clear.clicked.connect(self._clear_clicked)
        self.view.dimension_clicked.connect(self.toggle_curve)
        self.view.read_out.connect(self.read_out)
        choice.changed.connect(self.refresh)
        self.retranslate()

    @property
    def picture(self) -> PositionsView:
        """The encoding."""
        return self.view

    def scene(self) -> dict[str, Any]:
        """How many positions, and which curves."""
        return {"count": self.count.value(), "curves": list(self.curves)}

    def show_scene(self, state: Mapping[str, Any]) -> None:
        """Show so many positions, and the curves of dimensions that there are."""
        self.show_part(whole(state, "count", self.count.value()), wholes(state, "curves"))

    def asked(self, request: ExportRequest) -> ExportRequest:
        """As many positions and the curves that are drawn."""
        return request.but(positions=self.count.value(), curves=self.curves)

    def toggle_curve(self, dimension: int) -> None:
        """Draw a dimension's curve, or take it away; the oldest makes room for a ninth."""
        if dimension in self.curves:
            self.curves = tuple(d for d in self.curves if d != dimension)
        else:
            self.curves = tuple(sorted((*self.curves[-_MOST_CURVES + 1 :], dimension)))
        self._show()

    def show_part(self, count: int, curves: tuple[int, ...] | None) -> None:
        """Show so many positions, and the curves of these dimensions as far as there are; None: as it was."""
        self.count.setValue(count)
        if curves is not None:
            there = {dimension for dimension in curves if dimension <= self.dimension.maximum()}
            self.curves = tuple(sorted(there))[:_MOST_CURVES]
        self._show()

    def refresh(self) -> None:
        """Show the table in view, from the beginning if it has another shape."""
        table, rotary = self._choice.table, self._choice.rotary
        shape: tuple[int, ...] = () if table is None else table.rows.shape
        if rotary is not None:
            shape = (rotary.count, rotary.pairs)
        if shape and (*shape, rotary is None) != self._shape:
            before, self._shape = self._shape, (*shape, rotary is None)
            positions, dimensions = shape
            shown = self.count.value() if before else _FIRST_POSITIONS
            with QSignalBlocker(self.count), QSignalBlocker(self.dimension):
                self.count.setRange(min(8, positions), min(_MOST_POSITIONS, positions))
                self.count.setValue(min(shown, positions))
                self.dimension.setRange(0, dimensions - 1)
            if not before or before[1:] != self._shape[1:]:
                self.curves = opening_curves(dimensions) if rotary is None else opening_pairs(dimensions)
        self._show()

    def retranslate(self) -> None:
        """Take the language in force."""
        self._count_label.setText(self.tr("Positions"))
        self.count.setAccessibleName(self.tr("How many positions to show"))
        self.dimension.setAccessibleName(self.tr("Dimension of a curve"))
        self.add.setToolTip(
            self.tr("Draw or remove this dimension's curve; clicking the heatmap does the same")
        )
        self.clear.setText(self.tr("Clear curves"))
        self.refresh()

    def _show(self) -> None:
        rotary = self._choice.rotary
        self._dimension_label.setText(self.tr("Dimension") if rotary is None else self.tr("Pair"))
        self.view.setAccessibleName(
            self.tr("Positional encoding") if rotary is None else self.tr("Angles of rotary positions")
        )
        self.view.show_encoding(
            self._choice.table if rotary is None else rotary, self.curves, self.count.value()
        )
        names = listed(map(str, self.curves))
        self.chosen.setText(self.tr("Curves: {dimensions}").format(dimensions=names) if names else "")
        drawn = self.dimension.value() in self.curves
        self.add.setText(self.tr("Remove curve") if drawn else self.tr("Draw curve"))

    def _add_clicked(self) -> None:
        self.toggle_curve(self.dimension.value())

    def _clear_clicked(self) -> None:
        self.curves = ()
        self._show()


def _label(choice: PositionsChoice) -> str:
    rotary = choice.rotary is not None
    return translate("PositionsPage", "Angles") if rotary else translate("PositionsPage", "Encoding")


def _tip(choice: PositionsChoice) -> str:
    if choice.rotary is not None:
        return translate("PositionsPage", "The angles by which queries and keys are rotated")
    return translate("PositionsPage", "The vectors that are added to the tokens")


def _explained(choice: PositionsChoice) -> str:
    own = choice.own
    if choice.exploring:
        return ""
    if choice.rotary is not None:
        return translate(
            "PositionsPage",
            "{name} rotates queries and keys by angles that grow with the position (RoPE, Su et al. "
            "2021): nothing is added to the embeddings.",
        )
    if own is not None and own.learned:
        return translate(
            "PositionsPage",
            "The positions of {name} are learned: one free vector for each, added to the embedding.",
        )
    if own is not None and own.computed:
        return translate("PositionsPage", "{name} adds a computed vector for each position to the embedding.")
    if own is not None and own.stored:
        return translate(
            "PositionsPage",
            "{name} adds sines and cosines of falling frequency to every embedding (paper, 3.5); "
            "they are stored as a table among its weights.",
        )
    return translate(
        "PositionsPage",
        "{name} adds sines and cosines of falling frequency to every embedding (paper, 3.5).",
    )


ENCODING = PositionsTab(
    "encoding",
    lambda session, choice, appearance: EncodingPanel(choice, appearance),
    label=_label,
    tip=_tip,
    of=(PositionTable, Rotary),
    explained=_explained,
    commanded=lambda choice: not choice.exploring,
    file_name="positions",
)
