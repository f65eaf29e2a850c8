"""FlowSpec: queries and keys in two columns, a line for each weight of one or several heads of a layer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from model.trace.trace import AttentionKind
from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.flow.lines import Lines, Reached, lines_between, scale_end
from viewer.figures.map.chosen import strongest_column, strongest_row
from viewer.figures.map.spec import CellState, MapSpec

MOST_LINES = 3000
"""More than these would be one grey area, and slow: only those of the chosen token are drawn."""
_READ_OUT = 3


@dataclass(frozen=True, eq=False)
class FlowSpec:
    """Lines between queries (left) and keys (right).

    Attributes:
        maps: the weights of each head drawn; one where they are a mean or another aggregate of heads. All
            have the same tokens.
        threshold: lines of less weight are left out, as a share of the scale's end.
        reached: which lines those are, and how much weight the others have.
        chosen: the row or the column whose lines are emphasised, the other None; both None: all alike.
        only_chosen: there are too many lines, only those of the chosen token are drawn.
        sqrt_scale: width and opacity by the square root of the weight.
    """

    maps: tuple[MapSpec, ...]
    threshold: float
    reached: Reached
    title: str
    kind_name: str
    row_title: str
    column_title: str
    badges: tuple[str, ...] = ()
    chosen: tuple[int | None, int | None] = (None, None)
    only_chosen: bool = False
    sqrt_scale: bool = False

    @property
    def first(self) -> MapSpec:
        """The map that says what all of them have in common."""
        return self.maps[0]

    @property
    def kind(self) -> AttentionKind:
        """The kind."""
        return self.first.kind

    @property
    def layer(self) -> int:
        """The layer, from 0."""
        return self.first.layer

    @property
    def hidden_share(self) -> float | None:
        """The share, 0 to 1, of the weight shown that lies on lines left out; None if none can."""
        return self.reached.hidden

    @property
    def heads(self) -> tuple[int | None, ...]:
        """The heads drawn; None for a mean or another aggregate."""
        return tuple(spec.head for spec in self.maps)

    @property
    def row_labels(self) -> tuple[AxisLabel, ...]:
        """Queries from top to bottom."""
        return self.first.row_labels

    @property
    def column_labels(self) -> tuple[AxisLabel, ...]:
        """Keys from top to bottom."""
        return self.first.column_labels

    @property
    def rows(self) -> int:
        """Number of queries, later steps included."""
        return self.first.rows

    @property
    def columns(self) -> int:
        """Number of keys."""
        return self.first.columns

    @property
    def high(self) -> float:
        """The number of the widest line; 1 for weights."""
        return scale_end(self.maps)

    @property
    def signed(self) -> bool:
        """Whether some numbers may be below 0: drawn dashed."""
        return self.first.levels[0] < 0

    @property
    def lines(self) -> Lines:
        """All lines that reach the threshold, though there may be too many to draw; of too many, none."""
        return self.reached.lines

    def of_tokens(self, row: int | None, column: int | None) -> Lines:
        """The lines of a query, of a key, or (both given) between the two."""
        if not self.reached.kept:
            return lines_between(self.maps, self.threshold, row, column)
        lines = self.lines
        mask = np.ones(len(lines), np.bool_)
        if row is not None:
            mask &= lines.row == row
        if column is not None:
            mask &= lines.column == column
        return lines.where(mask)

    def drawn(self) -> Lines:
        """The lines that a picture shows."""
        if not self.only_chosen:
            return self.lines
        row, column = self.chosen
        if row is None and column is None:
            return self.lines.where(np.zeros(len(self.lines), np.bool_))
        return self.of_tokens(row, column)

    def sentence_at(self, row: int, column: int, place: int | None = None) -> str:
        """The map's sentence of a cell: of one of the maps, or of the one with the largest number there."""
        return self.map_of(row, column, place).sentence_at(row, column)

    def map_of(self, row: int, column: int, place: int | None = None) -> MapSpec:
        """One of the maps: the one at `place`, or that with the largest number in a cell."""
        return self.maps[self._strongest_map(row, column) if place is None else place]

    def sentence_of(self, row: int | None, column: int | None) -> str:
        """The map's sentence of a token's strongest line; empty where it has no number."""
        found = self.sentences_of(row, column)
        return found[0] if found else ""

    def sentences_of(self, row: int | None, column: int | None) -> list[str]:
        """The map's sentences of a token's strongest cells, whether or not they reach the threshold."""
        if row is not None and column is not None:
            return [self.sentence_at(row, column)]
        cells = []
        for place, spec in enumerate(self.maps):
            for r, c in _cells_of(spec, row, column):
                if spec.state_at(r, c) is CellState.SHOWN:
                    cells.append((abs(float(spec.matrix[r, c])), place, r, c))
        cells.sort(key=lambda cell: (-cell[0], *cell[1:]))
        if cells:
            return [self.sentence_at(r, c, place) for _, place, r, c in cells[:_READ_OUT]]
        if row is not None and self.columns:
            return [self.first.sentence_at(row, 0)]
        return []

    def partner(self, row: int | None, column: int | None) -> tuple[int, int] | None:
        """The cell of a token's strongest weight in the first map; its first cell where it has none."""
        if not self.rows or not self.columns:
            return None
        if row is not None:
            best = strongest_column(self.first, row) if row < self.first.shown_rows else None
            return row, best or 0
        if column is not None:
            return strongest_row(self.first, column) or 0, column
        return None

    def _strongest_map(self, row: int, column: int) -> int:
        if row >= self.first.shown_rows:
            return 0
        values = [abs(float(spec.matrix[row, column])) for spec in self.maps]
        return max(range(len(values)), key=values.__getitem__)


def _cells_of(spec: MapSpec, row: int | None, column: int | None) -> list[tuple[int, int]]:
    if row is not None:
        return [(row, c) for c in range(spec.columns)] if row < spec.shown_rows else []
    if column is not None:
        return [(r, column) for r in range(spec.shown_rows)]
    return []
