"""Spoken: a picture as a table of sentences, for those who do not see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from PySide6.QtCore import QPointF, QRectF

G = TypeVar("G")


def _number(place: int) -> str:
    return str(place + 1)


@dataclass(frozen=True, eq=False)
class Spoken(Generic[G]):
    """What can be pointed at in a picture: each thing's sentence, and where it stands once it is placed.

    Attributes:
        rows, columns: how many; a place with nothing in it says nothing.
        name: what the cell at (row, column) says, made when it is asked for.
        rect: where a cell stands in a geometry of the kind; empty for one that is not drawn.
        row_name, column_name: what a row and a column are of.
        current: the chosen cell; None for none.
        at: the cell at a point of a geometry; None: it is looked for among all, of which there are few.
    """

    rows: int
    columns: int
    name: Callable[[int, int], str]
    rect: Callable[[G, int, int], QRectF]
    row_name: Callable[[int], str] = _number
    column_name: Callable[[int], str] = _number
    current: tuple[int, int] | None = None
    at: Callable[[G, QPointF], tuple[int, int] | None] | None = None

    def found(self, place: G, point: QPointF) -> tuple[int, int] | None:
        """The cell at a point; None for none."""
        if self.at is not None:
            return self.at(place, point)
        every = ((row, column) for row in range(self.rows) for column in range(self.columns))
        return next((cell for cell in every if self.rect(place, *cell).contains(point)), None)
