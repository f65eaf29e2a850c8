"""Cells: a picture as a table for those who do not see it, every word of it made when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF


def _unnamed(place: int) -> str:
    return str(place + 1)


def _nowhere(row: int, column: int) -> QRectF | None:
    return None


def _nothing(point: QPointF) -> tuple[int, int] | None:
    return None


@dataclass(frozen=True, eq=False)
class Cells:
    """A table.

    Attributes:
        rows, columns: how many.
        name: what the cell at (row, column) says.
        row_name, column_name: what a row and a column are of.
        current: the chosen cell; None for none.
        rect: where a cell is drawn, in the coordinates of what it is drawn in; None if it is not in view.
        at: the cell drawn at a point of that; None for none.
        choose: makes the cell at (row, column) the chosen one; None where none can be chosen.
    """

    rows: int
    columns: int
    name: Callable[[int, int], str]
    row_name: Callable[[int], str] = _unnamed
    column_name: Callable[[int], str] = _unnamed
    current: tuple[int, int] | None = None
    rect: Callable[[int, int], QRectF | None] = _nowhere
    at: Callable[[QPointF], tuple[int, int] | None] = _nothing
    choose: Callable[[int, int], object] | None = None


class Follower(Protocol):
    """What shows the cells of a `CellHost` to others."""

    def follow(self) -> None:
        """Take what is shown now."""


class CellHost:
    """Stands among the bases of a widget that paints cells; it says them in `cells`.

    Attributes:
        cell_table: the table that assistive technology finds inside the widget; None until it looks.
    """

    cell_table: Follower | None = None

    def cells(self) -> Cells | None:
        """What it shows now; None for nothing, or nothing that is a table."""
        return None

    def follow_cells(self) -> None:
        """Other cells may be shown, or another be chosen: let those know who listen."""
        if self.cell_table is not None:
            self.cell_table.follow()
