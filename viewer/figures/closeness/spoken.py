"""Spoken: how alike words are: a row a pair of words, a column a stage of the encoder."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from viewer.figures.closeness.layout import ClosenessGeometry
from viewer.figures.closeness.spec import ClosenessSpec
from viewer.figures.spoken import Spoken

_NEAR = 6.0  # around a point of a line


def spoken_closeness(spec: ClosenessSpec) -> Spoken[ClosenessGeometry]:
    """Every point of every line."""
    lines, stages = spec.lines, spec.stages

    def name(row: int, column: int) -> str:
        return f"{lines[row].name}, {stages[column]}: {lines[row].values[column]:.4f}".replace("-", "−")

    def rect(place: ClosenessGeometry, row: int, column: int) -> QRectF:
        point = place.at(column, lines[row].values[column])
        return QRectF(point.x() - _NEAR, point.y() - _NEAR, 2 * _NEAR, 2 * _NEAR)

    chosen = next((row for row, line in enumerate(lines) if line.chosen), None)
    return Spoken(
        len(lines),
        len(stages),
        name,
        rect,
        lambda row: lines[row].name,
        lambda column: stages[column],
        None if chosen is None else (chosen, 0),
    )
