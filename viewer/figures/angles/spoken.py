"""Spoken: angles as a table: a row a position or distance, a column a pair, last the mean of all."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.angles.layout import AnglesGeometry
from viewer.figures.angles.spec import AnglesSpec
from viewer.figures.spoken import Spoken


def spoken_angles(spec: AnglesSpec) -> Spoken[AnglesGeometry]:
    """Every angle, in the map of the cosines, and the mean of every distance."""
    count, pairs = spec.cosines.shape

    def name(row: int, column: int) -> str:
        return spec.sentence(row, column) if column < pairs else spec.distance_sentence(row)

    def rect(place: AnglesGeometry, row: int, column: int) -> QRectF:
        return place.maps[0].rect_of(row, column) if column < pairs else place.plot.strip_of(row)

    def at(place: AnglesGeometry, point: QPointF) -> tuple[int, int] | None:
        distance = place.plot.index_at(point)
        return place.cell_at(point) if distance is None else (distance, pairs)

    return Spoken(count, pairs + 1, name, rect, str, str, at=at)
