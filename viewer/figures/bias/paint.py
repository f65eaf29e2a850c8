"""Painting a bias by distance."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from viewer.figures.bias.layout import BiasGeometry
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.paint_tables import paint_tables
from viewer.figures.canvas.theme import Theme


def paint_bias(painter: QPainter, place: BiasGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw all parts where their geometry says."""
    paint_tables(painter, place.tables, theme, options, lambda: _behind(painter, place, theme))


def _behind(painter: QPainter, place: BiasGeometry, theme: Theme) -> None:
    """Where buckets begin, and the heads that are not looked at."""
    plot, spec, scale = place.plot, place.spec, place.tables.scale
    if plot.box.width() < 8 or plot.box.height() < 8:
        return
    painter.setPen(QPen(theme.color("outline"), 0.8, Qt.PenStyle.DotLine))
    for between in spec.boundaries.tolist() if spec.sort == "buckets" else ():
        x = plot.at(between, plot.y.low).x()
        painter.drawLine(QPointF(x, plot.box.top()), QPointF(x, plot.box.bottom()))
    painter.setPen(QPen(theme.color("faint"), 0.8 * scale))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    first = int(spec.offsets[0])
    for head, values in enumerate(spec.bias.tolist()):
        if head != spec.head:
            points = [plot.at(first + index, value) for index, value in enumerate(values)]
            painter.drawPolyline(QPolygonF(points))
