"""Which tokens are of which sentence of a pair: brackets beside a map or a flow, lines between cells."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF
from PySide6.QtGui import QPainter, QPen

from viewer.drawing.flow_layout import FlowGeometry
from viewer.drawing.map_layout import MapGeometry
from viewer.drawing.theme import Theme
from viewer.state.figure import AxisLabel

_LINE = 2.0
_AWAY = 3.0  # from the cells, in the gap that the labels leave
_AWAY_FROM_FLOW = 6.0  # between a flow's dots and its labels
_END, _END_SHARE = 2.5, 0.25  # of a bracket, before the edge of its last cell


def segment_spans(labels: Sequence[AxisLabel], first: int, last: int) -> list[tuple[int, int]]:
    """The stretches (first, last exclusive) of tokens in view of one sentence each; none without a pair."""
    spans: list[tuple[int, int]] = []
    for place in range(first, last):
        if labels[place].segment < 0:
            continue
        if spans and spans[-1][1] == place and labels[place - 1].segment == labels[place].segment:
            spans[-1] = (spans[-1][0], place + 1)
        else:
            spans.append((place, place + 1))
    return spans


def bracket_lines(place: MapGeometry) -> list[QLineF]:
    """A bracket along each sentence, left of the rows and above the columns."""
    spec, area, away = place.spec, place.map_rect, _AWAY * place.scale
    lines: list[QLineF] = []
    end = min(_END * place.scale, _END_SHARE * place.cell_height)
    for top, bottom in segment_spans(spec.row_labels, place.first_row, place.last_row):
        y = area.top() + (top - place.first_row) * place.cell_height
        size = (bottom - top) * place.cell_height
        lines.append(QLineF(area.left() - away, y + end, area.left() - away, y + size - end))
    end = min(_END * place.scale, _END_SHARE * place.cell_width)
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


def flow_bracket_lines(place: FlowGeometry) -> list[QLineF]:
    """A bracket along each sentence beside both columns of a flow, as far as they are in view."""
    spec, area, away = place.spec, place.area, _AWAY_FROM_FLOW * place.scale
    lines: list[QLineF] = []
    for tokens, labels, x in (
        (place.queries, spec.row_labels, area.left() - away),
        (place.keys, spec.column_labels, area.right() + away),
    ):
        end = min(_END * place.scale, _END_SHARE * tokens.pitch)
        for first, last in segment_spans(labels, tokens.first, tokens.last):
            top = max(area.top(), tokens.top + first * tokens.pitch)
            bottom = min(area.bottom(), tokens.top + last * tokens.pitch)
            if bottom - top > 2 * end:
                lines.append(QLineF(x, top + end, x, bottom - end))
    return lines


def paint_flow_segments(painter: QPainter, place: FlowGeometry, theme: Theme) -> None:
    """Draw the brackets of a flow."""
    painter.setPen(QPen(theme.color("faint"), _LINE * place.scale))
    painter.drawLines(flow_bracket_lines(place))


def paint_segments(painter: QPainter, place: MapGeometry, theme: Theme) -> None:
    """Draw both; the lines lie between cells and cover none."""
    brackets = bracket_lines(place)
    if not brackets:
        return
    painter.setPen(QPen(theme.color("faint"), 1))
    painter.drawLines(boundary_lines(place))
    painter.setPen(QPen(theme.color("faint"), _LINE * place.scale))
    painter.drawLines(brackets)
