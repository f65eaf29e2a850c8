"""Spoken: the pairs of an encoding as a list."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from viewer.figures.clocks.layout import ClocksGeometry
from viewer.figures.clocks.spec import ClocksSpec
from viewer.figures.spoken import Spoken


def spoken_clocks(spec: ClocksSpec) -> Spoken[ClocksGeometry]:
    """A pair a row, where its clock is, or its place in the plot."""

    def rect(place: ClocksGeometry, row: int, column: int) -> QRectF:
        clocks = place.clocks
        if row in clocks.pairs:
            return clocks.cells[clocks.pairs.index(row)]
        return place.plot.strip_of(row)

    return Spoken(spec.pairs, 1, lambda row, column: spec.sentence(row), rect, str, current=(spec.pair, 0))
