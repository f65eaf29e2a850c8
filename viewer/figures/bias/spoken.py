"""Spoken: a bias as a table: a row a head, a column an offset; then a row a query of the head in view."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPointF, QRectF

from viewer.figures.bias.layout import BiasGeometry
from viewer.figures.bias.spec import BiasSpec
from viewer.figures.spoken import Spoken


def spoken_bias(spec: BiasSpec) -> Spoken[BiasGeometry]:
    """Every number of both maps."""
    heads, offsets = spec.bias.shape
    queries, keys = spec.square.shape

    def name(row: int, column: int) -> str:
        if row < heads:
            return spec.offset_sentence(row, int(spec.offsets[column])) if column < offsets else ""
        return spec.cell_sentence(row - heads, column) if column < keys else ""

    def rect(place: BiasGeometry, row: int, column: int) -> QRectF:
        if not name(row, column):
            return QRectF()
        upper, lower = place.maps
        return upper.rect_of(row, column) if row < heads else lower.rect_of(row - heads, column)

    def at(place: BiasGeometry, point: QPointF) -> tuple[int, int] | None:
        cell = place.maps[1].cell_at(point)
        return place.cell_at(point) if cell is None else (cell[0] + heads, cell[1])

    def row_name(row: int) -> str:
        if row < heads:
            return QCoreApplication.translate("Figure", "Head {head}").format(head=row + 1)
        return str(row - heads)

    return Spoken(heads + queries, max(offsets, keys), name, rect, row_name, current=(spec.head, 0), at=at)
