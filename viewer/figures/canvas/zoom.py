"""Zoom: the part of a map that is in view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

FEWEST = 4.0


@dataclass(frozen=True)
class Zoom:
    """A window on a map's cells, half-open; fractions are kept so that small moves add up.

    Attributes:
        first_row, last_row, first_column, last_column: edges, in cells from the map's top left corner.
    """

    first_row: float
    last_row: float
    first_column: float
    last_column: float

    @classmethod
    def whole(cls, rows: int, columns: int) -> Self:
        """Everything in view."""
        return cls(0.0, float(rows), 0.0, float(columns))

    def is_whole(self, rows: int, columns: int) -> bool:
        """Whether everything is in view."""
        return self.cells(rows, columns) == (0, rows, 0, columns)

    def cells(self, rows: int, columns: int) -> tuple[int, int, int, int]:
        """First and last row and column as whole cells within the map, half-open; at least one of each."""
        return (
            *_whole_cells(self.first_row, self.last_row, rows),
            *_whole_cells(self.first_column, self.last_column, columns),
        )

    def zoomed(self, factor: float, row: float, column: float, rows: int, columns: int) -> Self:
        """Nearer (factor above 1) or farther, keeping the point (row, column) where it is on the screen."""
        return type(self)(
            *_scaled(self.first_row, self.last_row, factor, row, rows),
            *_scaled(self.first_column, self.last_column, factor, column, columns),
        )

    def panned(self, down: float, right: float, rows: int, columns: int) -> Self:
        """Moved by cells; stops at the map's edges."""
        return type(self)(
            *_moved(self.first_row, self.last_row, down, rows),
            *_moved(self.first_column, self.last_column, right, columns),
        )


def _whole_cells(first: float, last: float, count: int) -> tuple[int, int]:
    start = min(max(0, round(first)), max(0, count - 1))
    return start, min(max(start + 1, round(last)), count)


def _scaled(first: float, last: float, factor: float, fixed: float, count: int) -> tuple[float, float]:
    length = min(max((last - first) / factor, min(FEWEST, count)), float(count))
    start = fixed - (fixed - first) * length / (last - first) if last > first else 0.0
    start = min(max(0.0, start), count - length)
    return start, start + length


def _moved(first: float, last: float, by: float, count: int) -> tuple[float, float]:
    start = min(max(0.0, first + by), max(0.0, count - (last - first)))
    return start, start + (last - first)
