"""Spoken: the parts of a sheet as one table, each with rows of its own below the one before."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from viewer.figures.sheet.layout import SheetGeometry
from viewer.figures.sheet.spec import SheetSpec
from viewer.figures.spoken import Spoken


def spoken_sheet(spec: SheetSpec) -> Spoken[SheetGeometry]:
    """Everything that can be pointed at; rows are named by their part."""
    parts = [part for line in spec.lines for part in line]
    sizes = [part.size() for part in parts]
    rows = [(place, row) for place, (count, _) in enumerate(sizes) for row in range(count)]

    def name(row: int, column: int) -> str:
        place, own = rows[row]
        return parts[place].said(own, column) if column < sizes[place][1] else ""

    def rect(at: SheetGeometry, row: int, column: int) -> QRectF:
        place, own = rows[row]
        return at.parts[place].rect_of(own, column) if column < sizes[place][1] else QRectF()

    columns = max((columns for _, columns in sizes), default=0)
    return Spoken(len(rows), columns, name, rect, lambda row: parts[rows[row][0]].heading)
