"""Spoken: what is known of every offset, and of every position beside it."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from viewer.figures.distance.layout import DistanceGeometry
from viewer.figures.distance.spec import DistanceSpec
from viewer.figures.spoken import Spoken


def spoken_distance(spec: DistanceSpec) -> Spoken[DistanceGeometry]:
    """What both plots show: an offset and a position a row."""

    def name(row: int, column: int) -> str:
        return spec.position_sentence(row) if column else spec.offset_sentence(row)

    def rect(place: DistanceGeometry, row: int, column: int) -> QRectF:
        return (place.by_position if column else place.by_offset).strip_of(row)

    return Spoken(spec.count, 2, name, rect, str, current=(spec.offset, 0))
