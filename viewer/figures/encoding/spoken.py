"""Spoken: a positional encoding as a table: a row a position; beside its numbers how like it is to others."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.canvas.tables import cell_of
from viewer.figures.encoding.layout import PositionsGeometry
from viewer.figures.encoding.spec import PositionsSpec
from viewer.figures.spoken import Spoken


def spoken_encoding(spec: PositionsSpec) -> Spoken[PositionsGeometry]:
    """Every number of both maps."""
    count, wide = spec.encoding.shape

    def name(row: int, column: int) -> str:
        return spec.sentence(row, column) if column < wide else spec.pair_sentence(row, column - wide)

    def rect(place: PositionsGeometry, row: int, column: int) -> QRectF:
        if column < wide:
            return cell_of(place.encoding, row, column, spec.encoding.shape)
        return cell_of(place.similarity, row, column - wide, spec.similarity.shape)

    def at(place: PositionsGeometry, point: QPointF) -> tuple[int, int] | None:
        pair = place.similarity_at(point)
        return place.cell_at(point) if pair is None else (pair[0], wide + pair[1])

    numbered = lambda column: str(column if column < wide else column - wide)  # noqa: E731
    return Spoken(count, wide + len(spec.similarity), name, rect, str, numbered, at=at)
