"""Spoken: the grids of effects as one table, one below the other."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from viewer.figures.effects.layout import EffectsGeometry
from viewer.figures.effects.spec import EffectsSpec
from viewer.figures.spoken import Spoken


def spoken_effects(spec: EffectsSpec) -> Spoken[EffectsGeometry]:
    """Every cell of every grid; rows are named by grid and layer."""
    rows = [(place, row) for place, grid in enumerate(spec.grids) for row in range(len(grid.values))]

    def name(row: int, column: int) -> str:
        place, own = rows[row]
        grid = spec.grids[place]
        return grid.said(own, column) if column < grid.values.shape[1] else ""

    def rect(at: EffectsGeometry, row: int, column: int) -> QRectF:
        place, own = rows[row]
        return at.rect_of((place, own, column)) if column < spec.grids[place].values.shape[1] else QRectF()

    columns = max((grid.values.shape[1] for grid in spec.grids), default=0)
    chosen = None if spec.chosen is None else (rows.index(spec.chosen[:2]), spec.chosen[2])
    return Spoken(
        len(rows),
        columns,
        name,
        rect,
        lambda row: f"{spec.grids[rows[row][0]].heading} {spec.grids[rows[row][0]].rows_named[rows[row][1]]}",
        current=chosen,
    )
