"""Spoken: two bases as a list: every pair, then every offset."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from viewer.figures.bases.layout import BasesGeometry
from viewer.figures.bases.spec import BasesSpec
from viewer.figures.spoken import Spoken


def spoken_bases(spec: BasesSpec) -> Spoken[BasesGeometry]:
    """What both plots show."""
    pairs = len(spec.sides[0].wavelengths)

    def name(row: int, column: int) -> str:
        return spec.pair_sentence(row) if row < pairs else spec.offset_sentence(row - pairs)

    def rect(place: BasesGeometry, row: int, column: int) -> QRectF:
        return place.wavelengths.strip_of(row) if row < pairs else place.similarity.strip_of(row - pairs)

    return Spoken(pairs + spec.count, 1, name, rect, current=(pairs + spec.offset, 0))
