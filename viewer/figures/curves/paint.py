"""Painting the plots of training curves on any paint device, as the window shows them."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from viewer.document.training.curves import Series
from viewer.figures.canvas.lettering import (
    SMALL,
    SMALLEST,
    TextRun,
    draw_runs,
    elided,
    line_height,
    middle,
    width,
)
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.curves.layout import CurvesGeometry
from viewer.figures.curves.spec import Heading, Plot

_NUMBERS = 46.0  # left of a plot
_DASHES = (4.0, 2.0)
_DOT = 3.0
_KEY = 16.0


def paint_curves(painter: QPainter, place: CurvesGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw every plot in its place."""
    for plot, rect in zip(place.spec.plots, place.places, strict=False):
        _paint(painter, plot, rect, theme)


def _paint(painter: QPainter, plot: Plot, place: QRectF, theme: Theme) -> None:
    line = line_height(SMALL)
    below = line + (line_height(SMALLEST) if plot.step_name else 0.0)
    area = place.adjusted(_NUMBERS, line + 4, -6, -below)
    _heading(painter, plot.heading, QRectF(place.left(), place.top(), place.width(), line), theme)
    _axes(painter, plot, area, theme)
    for each in plot.lines:
        pen = line_pen(each.colour, each.width, dashed=each.dashed)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for part in _parts(each.points):
            painter.drawPolyline(QPolygonF([_at(plot, area, x, y) for x, y in part]))
    for dots in plot.dots:
        painter.setPen(QPen(QColor(dots.colour), 1.4))
        for x, y, filled in zip(*(side.tolist() for side in dots.points), dots.filled.tolist()):
            painter.setBrush(QColor(dots.colour) if filled else theme.color("panel"))
            painter.drawEllipse(_at(plot, area, x, y), _DOT, _DOT)


def line_pen(colour: str, width: float, *, dashed: bool) -> QPen:
    """The pen of a line, on the screen as on paper."""
    pen = QPen(QColor(colour), width)
    if dashed:
        pen.setDashPattern(list(_DASHES))
    return pen


def _at(plot: Plot, area: QRectF, x: float, y: float) -> QPointF:
    first, last, low, high = plot.box
    return QPointF(
        area.left() + (x - first) / (last - first) * area.width(),
        area.bottom() - (y - low) / (high - low) * area.height(),
    )


def _parts(points: Series) -> list[list[tuple[float, float]]]:
    """The unbroken parts of a line."""
    parts: list[list[tuple[float, float]]] = [[]]
    for x, y in zip(points[0].tolist(), points[1].tolist()):
        if math.isnan(x) or math.isnan(y):
            parts.append([])
        else:
            parts[-1].append((x, y))
    return [part for part in parts if part]


def _heading(painter: QPainter, heading: Heading, room: QRectF, theme: Theme) -> None:
    baseline, x = middle(room.center().y(), SMALL), room.left()
    name = elided(heading.name, SMALL, room.width(), bool(heading.keys))
    role = "text" if heading.keys else "dim"
    runs = [TextRun(name, x, baseline, SMALL, role, bool(heading.keys))]
    x += width(name, SMALL, bool(heading.keys)) + 8
    if heading.value:
        runs.append(
            TextRun(elided(heading.value, SMALL, room.right() - x, True), x, baseline, SMALL, "text", True)
        )
    for key in heading.keys:
        long = _KEY + 4 + width(key.text, SMALL)
        if x + long > room.right():
            break
        painter.setPen(line_pen(key.colour, key.width, dashed=key.dashed))
        painter.drawLine(QPointF(x, room.center().y()), QPointF(x + _KEY, room.center().y()))
        if key.dots:
            painter.setBrush(QColor(key.colour))
            painter.drawEllipse(QPointF(x + _KEY / 2, room.center().y()), _DOT, _DOT)
        runs.append(TextRun(key.text, x + _KEY + 4, baseline, SMALL, "dim"))
        x += long + 12
    draw_runs(painter, runs, theme)


def _axes(painter: QPainter, plot: Plot, area: QRectF, theme: Theme) -> None:
    first, last, low, high = plot.box
    painter.setPen(QPen(theme.color("outline"), 1))
    painter.drawLine(area.bottomLeft(), area.bottomRight())
    painter.drawLine(area.bottomLeft(), area.topLeft())
    runs = []
    for value in _ticks(first, last, plot.steps_apart):
        point = _at(plot, area, value, low)
        painter.drawLine(point, point + QPointF(0, 4))
        text = f"{value:,.0f}"
        x = point.x() - width(text, SMALLEST) / 2
        runs.append(TextRun(text, x, middle(area.bottom() + 11, SMALLEST), SMALLEST, "dim"))
    for value in _ticks(low, high, plot.values_apart):
        point = _at(plot, area, first, value)
        painter.drawLine(point - QPointF(4, 0), point)
        text = tick_text(value, plot.values_apart)
        x = area.left() - 7 - width(text, SMALLEST)
        runs.append(TextRun(text, x, middle(point.y(), SMALLEST), SMALLEST, "dim"))
    if plot.step_name:
        x = area.center().x() - width(plot.step_name, SMALLEST) / 2
        y = middle(area.bottom() + 11 + line_height(SMALLEST), SMALLEST)
        runs.append(TextRun(plot.step_name, x, y, SMALLEST, "dim"))
    draw_runs(painter, runs, theme)


def _ticks(low: float, high: float, apart: float) -> list[float]:
    if not apart:
        return []
    return [number * apart for number in range(math.ceil(low / apart), math.floor(high / apart) + 1)]


def tick_text(value: float, apart: float) -> str:
    """A number on an axis whose ticks are `apart`, as exact as they are."""
    places = max(0, math.ceil(-math.log10(apart) - 1e-9))
    return f"{value:,.{places}f}" if places <= 4 else f"{value:.3g}"
