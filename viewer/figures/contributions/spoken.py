"""Spoken: the edges of a contribution graph, the strongest first."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.contributions.layout import ContributionsGeometry
from viewer.figures.contributions.spec import ContributionsSpec
from viewer.figures.spoken import Spoken


def spoken_contributions(spec: ContributionsSpec) -> Spoken[ContributionsGeometry]:
    """An edge a row."""

    def at(place: ContributionsGeometry, point: QPointF) -> tuple[int, int] | None:
        edge = place.edge_at(point)
        return None if edge is None else (edge, 0)

    def rect(place: ContributionsGeometry, row: int, column: int) -> QRectF:
        return place.edge_rect(row)

    return Spoken(len(spec.edges), 1, lambda row, column: spec.sentence_of(row), rect, at=at)
