"""Spoken: source and prefix at every step, in a row."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from viewer.figures.shares.layout import SharesGeometry
from viewer.figures.shares.spec import SharesSpec
from viewer.figures.spoken import Spoken


def spoken_shares(spec: SharesSpec) -> Spoken[SharesGeometry]:
    """A step a column."""

    def at(place: SharesGeometry, point: QPointF) -> tuple[int, int] | None:
        step = place.step_at(point)
        return None if step is None else (0, step)

    return Spoken(
        1,
        spec.steps,
        lambda row, column: spec.sentence_at(column),
        lambda place, row, column: place.bar(column),
        current=(0, spec.step) if 0 <= spec.step < spec.steps else None,
        at=at,
    )
