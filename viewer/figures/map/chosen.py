"""The chosen token that flow and words are about: a query (whom it reads) or a key (who reads it)."""

from __future__ import annotations

from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.map.spec import CellState, MapSpec


def chosen_row(spec: MapSpec) -> int | None:
    """The row of the chosen query: the crosshair's, else the current step's; None if there is none."""
    return spec.step_row if spec.crosshair is None else spec.crosshair[0]


def chosen_column(spec: MapSpec) -> int | None:
    """The column of the chosen key, which the crosshair names."""
    return None if spec.crosshair is None else spec.crosshair[1]


def strongest_column(spec: MapSpec, row: int) -> int | None:
    """The key that a query reads most (the first of several); None where no weight of the row is shown."""
    shown = [column for column in range(spec.columns) if spec.state_at(row, column) is CellState.SHOWN]
    return max(shown, key=lambda column: float(spec.matrix[row, column]), default=None)


def strongest_row(spec: MapSpec, column: int) -> int | None:
    """The query that reads a key most (the first of several); None where no weight of the column is shown."""
    shown = [row for row in range(spec.shown_rows) if spec.state_at(row, column) is CellState.SHOWN]
    return max(shown, key=lambda row: float(spec.matrix[row, column]), default=None)


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
