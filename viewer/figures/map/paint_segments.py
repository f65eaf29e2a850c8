"""Segment brackets beside a map, and lines between its cells: which tokens are of which sentence."""

from __future__ import annotations

from PySide6.QtCore import QLineF
from PySide6.QtGui import QPainter, QPen

from viewer.figures.canvas.segments import SEGMENT_END, SEGMENT_END_SHARE, SEGMENT_LINE, segment_spans
from viewer.figures.canvas.theme import Theme
from viewer.figures.map.layout import MapGeometry

_AWAY = 3.0  # from the cells, in the gap that the labels leave


def bracket_lines(place: MapGeometry) -> list[QLineF]:
    """A bracket along each sentence, left of the rows and above the columns."""
    spec, area, away = place.spec, place.map_rect, _AWAY * place.scale
    lines: list[QLineF] = []
    end = min(SEGMENT_END * place.scale, SEGMENT_END_SHARE * place.cell_height)
    for top, bottom in segment_spans(spec.row_labels, place.first_row, place.last_row):
        y = area.top() + (top - place.first_row) * place.cell_height
        size = (bottom - top) * place.cell_height
        lines.append(QLineF(area.left() - away, y + end, area.left() - away, y + size - end))
    end = min(SEGMENT_END * place.scale, SEGMENT_END_SHARE * place.cell_width)
    for left, right in segment_spans(spec.column_labels, place.first_column, place.last_column):
        x = area.left() + (left - place.first_column) * place.cell_width
        size = (right - left) * place.cell_width
        lines.append(QLineF(x + end, area.top() - away, x + size - end, area.top() - away))
    return lines


def boundary_lines(place: MapGeometry) -> list[QLineF]:
    """Across the cells where one sentence ends and the other begins."""
    spec, area = place.spec, place.map_rect
    lines: list[QLineF] = []
    for top, _ in segment_spans(spec.row_labels, place.first_row, place.last_row)[1:]:
        y = area.top() + (top - place.first_row) * place.cell_height
        lines.append(QLineF(area.left(), y, area.right(), y))
    for left, _ in segment_spans(spec.column_labels, place.first_column, place.last_column)[1:]:
        x = area.left() + (left - place.first_column) * place.cell_width
        lines.append(QLineF(x, area.top(), x, area.bottom()))
    return lines


def paint_segments(painter: QPainter, place: MapGeometry, theme: Theme) -> None:
    """Draw both; the lines lie between cells and cover none."""
    brackets = bracket_lines(place)
    if not brackets:
        return
    painter.setPen(QPen(theme.color("faint"), 1))
    painter.drawLines(boundary_lines(place))
    painter.setPen(QPen(theme.color("faint"), SEGMENT_LINE * place.scale))
    painter.drawLines(brackets)
