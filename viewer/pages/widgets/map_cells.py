"""Cells of a map, for those who do not see it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.map.accessible_text import spoken_cell, spoken_row
from viewer.figures.map.layout import MapGeometry
from viewer.figures.map.spec import MapSpec
from viewer.pages.accessible.cells import Cells


def map_cells(
    spec: MapSpec | None,
    place: Callable[[], MapGeometry | None] | None = None,
    choose: Callable[[int, int], object] | None = None,
) -> Cells | None:
    """The cells of a map as a table: rows read columns.

    Args:
        place: where everything of it is drawn now; None where its cells are not drawn as such.
        choose: see `Cells`.
    """
    if spec is None:
        return None

    def rect(row: int, column: int) -> QRectF | None:
        drawn = None if place is None else place()
        where = QRectF() if drawn is None else drawn.rect_of(row, column)
        return where if drawn is not None and where.intersects(drawn.map_rect) else None

    def at(point: QPointF) -> tuple[int, int] | None:
        drawn = None if place is None else place()
        return None if drawn is None else drawn.cell_at(point)

    return Cells(
        min(spec.rows, len(spec.row_labels)),
        spec.columns,
        lambda row, column: spoken_cell(spec, row, column),
        lambda row: spoken_row(spec, row),
        lambda column: spec.column_labels[column].token.text,
        spec.crosshair,
        rect,
        at,
        choose,
    )
