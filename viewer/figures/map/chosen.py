"""The chosen token that flow and words are about: a query (whom it reads) or a key (who reads it)."""

from __future__ import annotations

import numpy as np

from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.canvas.matrix import Mask, Matrix
from viewer.figures.map.spec import MapSpec


def chosen_row(spec: MapSpec) -> int | None:
    """The row of the chosen query: the crosshair's, else the current step's; None if there is none."""
    return spec.step_row if spec.crosshair is None else spec.crosshair[0]


def chosen_column(spec: MapSpec) -> int | None:
    """The column of the chosen key, which the crosshair names."""
    return None if spec.crosshair is None else spec.crosshair[1]


def strongest_column(spec: MapSpec, row: int) -> int | None:
    """The key that a query reads most (the first of several); None where no weight of the row is shown."""
    return None if row >= spec.shown_rows else _strongest(spec, row, slice(None))


def strongest_row(spec: MapSpec, column: int) -> int | None:
    """The query that reads a key most (the first of several); None where no weight of the column is shown."""
    return _strongest(spec, slice(0, spec.shown_rows), column)


def _strongest(spec: MapSpec, rows: int | slice, columns: int | slice) -> int | None:
    values, shown = line_of(spec, rows, columns)
    return int(np.where(shown, values, -np.inf).argmax()) if shown.any() else None


def line_of(spec: MapSpec, rows: int | slice, columns: int | slice) -> tuple[Matrix, Mask]:
    """The numbers of a row or a column of rows that are shown, and which of them are numbers at all."""
    values: Matrix = np.asarray(spec.matrix[rows, columns])
    shown: Mask = np.ones(values.shape, np.bool_)
    for mask in (spec.masked, spec.absent):
        if mask is not None:
            shown &= ~np.asarray(mask[rows, columns])
    return values, shown


def same_tokens(one: MapSpec, other: MapSpec, row: int | None, column: int | None) -> bool:
    """Whether a row, a column or a cell of one map is there in another, and of the same tokens."""
    if one.kind is not other.kind:
        return False
    pairs = ((one.row_labels, other.row_labels, row), (one.column_labels, other.column_labels, column))
    return all(at is None or _tokens(old, at) == _tokens(new, at) != () for old, new, at in pairs)


def _tokens(labels: tuple[AxisLabel, ...], at: int) -> tuple[tuple[int, int, str], ...]:
    return tuple((label.index, label.count, label.raw) for label in labels[at : at + 1])


def emphasised(spec: MapSpec, *, incoming: bool, always: bool) -> tuple[int | None, int | None]:
    """The row or column whose lines stand out: that of the crosshair.

    Args:
        incoming: the key, not the query.
        always: also without a crosshair, since nothing else is drawn.
    """
    if spec.crosshair is None and not always:
        return None, None
    row = chosen_row(spec)
    if incoming:
        column = chosen_column(spec)
        if column is None and row is not None:
            column = strongest_column(spec, row)
        return None, column
    return (0 if row is None and always and spec.rows else row), None
