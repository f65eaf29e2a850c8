"""Segment brackets beside the columns of a flow: which tokens are of which sentence of a pair."""

from __future__ import annotations

from PySide6.QtCore import QLineF
from PySide6.QtGui import QPainter, QPen

from viewer.figures.canvas.segments import SEGMENT_END, SEGMENT_END_SHARE, SEGMENT_LINE, segment_spans
from viewer.figures.canvas.theme import Theme
from viewer.figures.flow.layout import FlowGeometry

_AWAY_FROM_FLOW = 6.0  # between a flow's dots and its labels


def flow_bracket_lines(place: FlowGeometry) -> list[QLineF]:
    """A bracket along each sentence beside both columns of a flow, as far as they are in view."""
    spec, area, away = place.spec, place.area, _AWAY_FROM_FLOW * place.scale
    lines: list[QLineF] = []
    for tokens, labels, x in (
        (place.queries, spec.row_labels, area.left() - away),
        (place.keys, spec.column_labels, area.right() + away),
    ):
        end = min(SEGMENT_END * place.scale, SEGMENT_END_SHARE * tokens.pitch)
        for first, last in segment_spans(labels, tokens.first, tokens.last):
            top = max(area.top(), tokens.top + first * tokens.pitch)
            bottom = min(area.bottom(), tokens.top + last * tokens.pitch)
            if bottom - top > 2 * end:
                lines.append(QLineF(x, top + end, x, bottom - end))
    return lines


def paint_flow_segments(painter: QPainter, place: FlowGeometry, theme: Theme) -> None:
    """Draw the brackets of a flow."""
    painter.setPen(QPen(theme.color("faint"), SEGMENT_LINE * place.scale))
    painter.drawLines(flow_bracket_lines(place))
