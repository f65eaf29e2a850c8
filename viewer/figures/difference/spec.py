"""DifferenceSpec: one map of what attention lost and gained from a run A to a run B."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.tokens.pairing import Pairing
from viewer.figures.canvas.matrix import Matrix
from viewer.figures.canvas.numerals import format_weight
from viewer.figures.map.spec import CellState, MapSpec

_NO_TOKENS = Pairing(())


@dataclass(frozen=True, eq=False)
class DifferenceSpec(MapSpec):
    """A map of B − A over the tokens of both; see `MapSpec`. Its rows and columns are pairs of tokens.

    `matrix` is the difference where both runs have the cell, else 0 with `absent` True; `masked` where
    neither may attend. The labels' `index` is the place on the common axis.

    Attributes:
        rows_of, columns_of: which query and key of A and of B stand at each place, in the order shown.
        first, second: weights of A and of B, float32 [row, column], NaN where that run lacks the cell.
        first_place: layer and head of A, where they are not those of `layer` and `head`; else None.
    """

    rows_of: Pairing = _NO_TOKENS
    columns_of: Pairing = _NO_TOKENS
    first: Matrix | None = None
    second: Matrix | None = None
    first_place: tuple[int, int | None] | None = None

    def weights_at(self, row: int, column: int) -> tuple[float | None, float | None]:
        """The cell's weights in A and in B, None where that run lacks it."""
        return _number(self.first, row, column), _number(self.second, row, column)

    def cell_of(self, side: int, query: int | None, key: int | None) -> tuple[int, int] | None:
        """Where a cell of A (side 0) or B (side 1) is shown."""
        row, column = self.rows_of.place_of(side, query), self.columns_of.place_of(side, key)
        return None if row is None or column is None else (row, column)

    @property
    def largest(self) -> tuple[int, int] | None:
        """The cell that differs most, the first of equals; None where no cell is in both runs."""
        if self.absent is None or not self.matrix.size or self.absent.all():
            return None
        row, column = divmod(int(np.abs(self.matrix).argmax()), self.matrix.shape[1])
        return (row, column) if self.matrix[row, column] else None

    def sentence_at(self, row: int, column: int, number: str = "") -> str:
        """One sentence saying what the cell is in A, in B, and how far these are apart (`number`)."""
        translate = QCoreApplication.translate
        label, key = self.row_labels[row], self.column_labels[column]
        first, second = self.weights_at(row, column)
        state = self.state_at(row, column)
        if state is CellState.MASKED:
            text = translate("Compare", "{place}: {pair}: can be read neither in A nor in B")
        elif state is CellState.SHOWN:
            text = translate("Compare", "{place}: {pair}: A {first}, B {second}, difference {difference}")
        elif first is not None:
            text = translate("Compare", "{place}: {pair}: A {first}, not in B")
        elif second is not None:
            text = translate("Compare", "{place}: {pair}: B {second}, not in A")
        else:
            text = translate("Compare", "{place}: {pair}: one token is only in A, the other only in B")
        if label.predicted is None:
            pair = translate("Compare", "“{query}” reads “{key}”")
        elif label.given:
            pair = translate("Compare", "before the given “{query}” reads “{key}”")
        else:
            pair = translate("Compare", "predicting “{query}” reads “{key}”")
        query = (label.predicted or label.token).marked
        return text.format(
            place=self.place,
            pair=pair.format(query=query, key=key.token.marked),
            first="" if first is None else format_weight(first),
            second="" if second is None else format_weight(second),
            difference=number or signed(float(self.matrix[row, column])),
        )


def _number(weights: Matrix | None, row: int, column: int) -> float | None:
    value = math.nan if weights is None else float(weights[row, column])
    return None if math.isnan(value) else value


def signed(value: float) -> str:
    """A difference for reading, as `format_weight` with a sign: "+0.123", "−0.045"."""
    text = format_weight(abs(value))
    return text if value == 0 else ("−" if value < 0 else "+") + text
