"""MapSpec: one heatmap of queries and keys."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from model.trace.trace import AttentionKind
from viewer.document.selection import AnyNumbers, Numbers
from viewer.document.text.segments import pair_note
from viewer.figures.canvas.matrix import Mask
from viewer.figures.map.long_map import AnyMask, AnyMatrix

if TYPE_CHECKING:
    from viewer.figures.map.gold.spec import GoldOverlay

from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.canvas.numerals import format_number


class CellState(StrEnum):
    """What a cell can be: a weight, forbidden, of a later step, or not there in both runs compared."""

    SHOWN = "shown"
    MASKED = "masked"
    LATER = "later"
    ABSENT = "absent"


@dataclass(frozen=True, eq=False)
class MapSpec:
    """One heatmap.

    Attributes:
        head: None for the mean over the layer's heads.
        matrix: weights as shown, float32 [query, key]; rows that do not exist yet are absent. Of a long map
            they are read when they are looked at.
        rows: number of rows to draw; rows from len(matrix) on do not exist yet (outlined).
        masked: [query, key], True where attention was not allowed (hatched); None where nothing is masked.
        row_labels, column_labels: one an index of the axis.
        row_title, column_title: what the axes are, with query and key, source and target.
        title: such as "Decoder layer 2 of 4, head 3 of 8".
        kind_name: such as "cross-attention".
        place: the title's short form, for sentences.
        badges: what was averaged, scaled, hidden, altered; shown on screen and in every export.
        step_row: the row of the current step, None for encoder maps.
        later_from: first row after the current step (outlined), None to draw all alike.
        sqrt_scale: colours by the square root.
        levels: value range of the colour bar, (0, 1) for weights; one with a negative end diverges from 0.
        crosshair: the chosen cell (row, column), or None.
        absent: [query, key], True where a run of a difference lacks the token; None elsewhere.
        numbers: what the numbers are; all but `WEIGHTS` are no attention weights and are never called so.
        quantity: what one of them is called, such as "scaled score"; empty for weights.
        words: whether pieces are merged to words.
        notes: for the caption: formula, caveat and source of the numbers, a sentence each.
        gold: gold links drawn over the cells of their words (`build.with_gold`), if any.
    """

    kind: AttentionKind
    layer: int
    head: int | None
    matrix: AnyMatrix
    rows: int
    masked: AnyMask | None
    row_labels: tuple[AxisLabel, ...]
    column_labels: tuple[AxisLabel, ...]
    row_title: str
    column_title: str
    title: str
    kind_name: str = ""
    place: str = ""
    badges: tuple[str, ...] = ()
    step_row: int | None = None
    later_from: int | None = None
    sqrt_scale: bool = False
    levels: tuple[float, float] = (0.0, 1.0)
    crosshair: tuple[int, int] | None = None
    absent: Mask | None = None
    numbers: AnyNumbers = Numbers.WEIGHTS
    quantity: str = ""
    words: bool = False
    notes: tuple[str, ...] = ()
    gold: GoldOverlay | None = None

    @property
    def columns(self) -> int:
        """Number of columns to draw."""
        return len(self.column_labels)

    @property
    def has_absent(self) -> bool:
        """Whether some cell is not in both of two runs compared."""
        return self.absent is not None and bool(self.absent.any())

    @property
    def shown_rows(self) -> int:
        """How many rows, from the top, show their weights."""
        existing = len(self.matrix)
        return existing if self.later_from is None else min(existing, max(0, self.later_from))

    @property
    def later_columns(self) -> int | None:
        """First column of a later step, in decoder self-attention; None elsewhere."""
        if self.kind is not AttentionKind.DECODER_SELF or self.later_from is None:
            return None
        last = self.row_labels[self.later_from - 1] if self.later_from > 0 else None
        step = -1 if last is None else last.last
        return bisect_right(self.column_labels, step, key=lambda label: label.index)

    def state_at(self, row: int, column: int) -> CellState:
        """What the cell is."""
        if row >= self.shown_rows:
            return CellState.LATER
        if self.absent is not None and self.absent[row, column]:
            return CellState.ABSENT
        if self.masked is not None and self.masked[row, column]:
            return CellState.MASKED
        return CellState.SHOWN

    def weight_at(self, row: int, column: int) -> float | None:
        """The cell's true number; None where there is none at this step, or not in both runs compared."""
        if self.state_at(row, column) in (CellState.LATER, CellState.ABSENT):
            return None
        return float(self.matrix[row, column])

    def row_of(self, query: int) -> int | None:
        """The row that shows a query of the trace, None when it is hidden."""
        return _place_of(self.row_labels, query)

    def column_of(self, key: int) -> int | None:
        """The column that shows a key of the trace, None when it is hidden."""
        return _place_of(self.column_labels, key)

    def sentence_at(self, row: int, column: int, number: str = "") -> str:
        """One sentence saying what the cell is: where, who reads whom, how much (`number`, else rounded)."""
        translate = QCoreApplication.translate
        label, key = self.row_labels[row], self.column_labels[column].token.marked
        state = self.state_at(row, column)
        values = {"place": self.place, "query": label.token.marked, "key": key, "read": label.token.marked}
        if state is CellState.LATER:
            return translate("Figure", "{place}: this row belongs to a later step").format(**values)
        if label.predicted is not None and label.given:
            values["query"] = label.predicted.marked
            text = _given_text(masked=state is CellState.MASKED, weights=not self.quantity)
        elif label.predicted is not None and self.words:
            values["query"] = label.predicted.marked
            text = _word_text(masked=state is CellState.MASKED, weights=not self.quantity)
        elif label.predicted is not None:
            values["query"] = label.predicted.marked
            if state is CellState.MASKED:
                text = translate("Figure", "{place}: predicting “{query}” cannot read “{key}”")
            elif self.quantity:
                text = translate("Figure", "{place}: predicting “{query}” · “{key}”: {quantity} {weight}")
            else:
                text = translate("Figure", "{place}: predicting “{query}” reads “{key}” {weight}")
        elif state is CellState.MASKED:
            text = translate("Figure", "{place}: “{query}” cannot read “{key}”")
        elif self.quantity:
            text = translate("Figure", "{place}: “{query}” · “{key}”: {quantity} {weight}")
        else:
            text = translate("Figure", "{place}: “{query}” reads “{key}” {weight}")
        weight = number or format_number(float(self.matrix[row, column]))
        said = text.format(**values, quantity=self.quantity, weight=weight)
        pair = pair_note(label.segment, self.column_labels[column].segment)
        return f"{said} ({pair})" if pair else said


def _given_text(*, masked: bool, weights: bool) -> str:
    """The sentence of a cell of a prompt's row."""
    translate = QCoreApplication.translate
    if masked:
        return translate("Figure", "{place}: at “{read}”, before the given “{query}”, cannot read “{key}”")
    if weights:
        return translate("Figure", "{place}: at “{read}”, before the given “{query}”, reads “{key}” {weight}")
    return translate(
        "Figure", "{place}: at “{read}”, before the given “{query}” · “{key}”: {quantity} {weight}"
    )


def _word_text(*, masked: bool, weights: bool) -> str:
    """The sentence of a cell of a decoder's row that is a word: a mean of the rows that read its pieces."""
    translate = QCoreApplication.translate
    if masked:
        return translate("Figure", "{place}: at “{read}”, predicting “{query}”, cannot read “{key}”")
    if weights:
        return translate("Figure", "{place}: at “{read}”, predicting “{query}”, reads “{key}” {weight}")
    return translate("Figure", "{place}: at “{read}”, predicting “{query}” · “{key}”: {quantity} {weight}")


def _place_of(labels: tuple[AxisLabel, ...], index: int) -> int | None:
    """Position of the label with that index; labels are in ascending order."""
    if index < len(labels) and labels[index].holds(index):
        return index
    return next((place for place, label in enumerate(labels) if label.holds(index)), None)
