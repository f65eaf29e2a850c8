"""Curves: lines and points over two axes, with marks, and handles to drag along the horizontal one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from viewer.figures.canvas.curves import curve_pen
from viewer.figures.canvas.lettering import SMALL, TextRun, draw_runs, elided, line_height, middle, width
from viewer.figures.canvas.plot import Axis, Plot, Series, draw_plot, number_text, place_plot
from viewer.figures.canvas.theme import Theme
from viewer.figures.sheet.part import Placed, Row, number_cell

_POINT = 4.0  # half of what a point takes
_BAND = 0.18  # of the line's colour
_NEAR = 12.0  # how far from a handle it can still be grasped


@dataclass(frozen=True, eq=False)
class Line:
    """One curve.

    Attributes:
        xs, ys: in number alike; what is not finite parts the line.
        dots: points, and `line` whether they are joined.
        index: which of the theme's curves; curves differ by dashes too.
        spread: how far a band about the line reaches up and down at each point; empty for none.
    """

    name: str
    xs: Sequence[float]
    ys: Sequence[float]
    index: int = 0
    dots: bool = False
    line: bool = True
    spread: Sequence[float] = ()


@dataclass(frozen=True)
class Mark:
    """A line across the plot at a value, with a word: `upright` at a value of the horizontal axis."""

    value: float
    text: str = ""
    upright: bool = True


@dataclass(frozen=True)
class Handle:
    """A knob that turns a control by being dragged along the horizontal axis.

    Attributes:
        control: its name.
        x, y: where it is.
        radius: in logical pixels; may show a weight.
    """

    control: str
    x: float
    y: float
    text: str = ""
    radius: float = 6.0
    index: int = 0


@dataclass(frozen=True, eq=False)
class Curves:
    """A plot; see `Part`."""

    grows: ClassVar[bool] = True

    heading: str
    x: Axis
    y: Axis
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...] = ()
    handles: tuple[Handle, ...] = ()
    share: float = 1.0

    def height(self, width: float, scale: float) -> float:
        """See `Part`."""
        return min(0.62 * width, 260 * scale) + 40 * scale

    def placed(self, rect: QRectF, scale: float) -> Placed:
        """See `Part`."""
        legend = tuple(Series((), line.name, line.index) for line in self.lines)
        return PlacedCurves(self, place_plot(rect, self.heading, self.x, self.y, legend, scale))

    def rows(self) -> Iterator[Row]:
        """See `Part`."""
        for line in self.lines:
            for x, y in zip(line.xs, line.ys, strict=True):
                yield (line.name, number_cell(x), number_cell(y))
            for x, about in zip(line.xs, line.spread):
                yield (f"{line.name} ±", number_cell(x), number_cell(about))

    def size(self) -> tuple[int, int]:
        """See `Part`: a line a row, its points in columns."""
        return len(self.lines), max((len(line.xs) for line in self.lines), default=0)

    def said(self, row: int, column: int) -> str:
        """See `Part`."""
        line = self.lines[row]
        if column >= len(line.xs):
            return ""
        x, y = line.xs[column], line.ys[column]
        if not (math.isfinite(x) and math.isfinite(y)):
            return ""
        about = f" ± {number_text(line.spread[column])}" if line.spread else ""
        return f"{line.name}: {number_text(x)} → {number_text(y)}{about}".lstrip(": ")


class PlacedCurves(Placed):
    """A plot in its place."""

    def __init__(self, part: Curves, plot: Plot) -> None:
        self.part = part
        self.plot = plot

    def paint(self, painter: QPainter, theme: Theme, *, vector: bool) -> None:
        """See `Placed`."""
        plot = self.plot
        draw_plot(painter, plot, theme)
        if plot.box.width() < 8 or plot.box.height() < 8:
            return
        painter.setClipRect(plot.box.adjusted(-8, -8, 8, 8))
        for mark in self.part.marks:
            self._mark(painter, mark, theme)
        for line in self.part.lines:
            self._band(painter, line, theme)
        for line in self.part.lines:
            self._line(painter, line, theme)
        for handle in self.part.handles:
            self._handle(painter, handle, theme)

    def sentence_at(self, point: QPointF) -> str:
        """The point of a curve that is nearest."""
        if not self.plot.box.contains(point):
            return ""
        near: tuple[float, str] = (_NEAR**2, "")
        rows, columns = self.part.size()
        for row in range(rows):
            for column in range(columns):
                box = self.rect_of(row, column)
                away = box.center() - point
                distance = away.x() ** 2 + away.y() ** 2
                if not box.isEmpty() and distance < near[0]:
                    near = (distance, self.part.said(row, column))
        return near[1]

    def rect_of(self, row: int, column: int) -> QRectF:
        """See `Placed`: about a point."""
        if not self.part.said(row, column):
            return QRectF()
        line = self.part.lines[row]
        at = self.plot.at(float(line.xs[column]), float(line.ys[column]))
        return QRectF(at.x() - _POINT, at.y() - _POINT, 2 * _POINT, 2 * _POINT)

    def handle_at(self, point: QPointF) -> str:
        """See `Placed`."""
        best, found = _NEAR**2, ""
        for handle in self.part.handles:
            away = self.plot.at(handle.x, handle.y) - point
            distance = away.x() ** 2 + away.y() ** 2
            if distance <= max(best, 0.0) and distance <= max(_NEAR, handle.radius + 4) ** 2:
                best, found = distance, handle.control
        return found

    def dragged_to(self, handle: str, point: QPointF) -> float:
        """See `Placed`."""
        box, x = self.plot.box, self.part.x
        share = (point.x() - box.left()) / max(1.0, box.width())
        if x.log:
            return float(x.low * (x.high / x.low) ** share)
        return x.low + share * (x.high - x.low)

    def _band(self, painter: QPainter, line: Line, theme: Theme) -> None:
        """Nothing where a line has no spread; held to the axis."""
        if not line.spread:
            return
        low, high = self.plot.y.low, self.plot.y.high
        each = list(zip(line.xs, line.ys, line.spread, strict=True))
        edge = [self.plot.at(float(x), min(high, float(y + about))) for x, y, about in each]
        edge += [self.plot.at(float(x), max(low, float(y - about))) for x, y, about in reversed(each)]
        colour = QColor(theme.curves[line.index % len(theme.curves)])
        colour.setAlphaF(_BAND)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPolygon(QPolygonF(edge))

    def _line(self, painter: QPainter, line: Line, theme: Theme) -> None:
        scale = self.plot.scale
        painter.setBrush(Qt.BrushStyle.NoBrush)
        run: list[QPointF] = []
        points: list[QPointF] = []
        for x, y in [*zip(line.xs, line.ys, strict=True), (math.nan, math.nan)]:
            if math.isfinite(x) and math.isfinite(y):
                run.append(self.plot.at(float(x), float(y)))
                continue
            if line.line and len(run) > 1:
                painter.setPen(curve_pen(line.index, theme, 1.8 * scale))
                painter.drawPolyline(QPolygonF(run))
            points += run
            run = []
        if line.dots:
            painter.setPen(QPen(theme.color("panel"), 1))
            painter.setBrush(QColor(theme.curves[line.index % len(theme.curves)]))
            for point in points:
                painter.drawEllipse(point, 3.2 * scale, 3.2 * scale)

    def _mark(self, painter: QPainter, mark: Mark, theme: Theme) -> None:
        plot, pixels = self.plot, SMALL * self.plot.scale
        painter.setPen(QPen(theme.color("dim"), 1, Qt.PenStyle.DashLine))
        box = plot.box
        text = elided(mark.text, pixels, box.width() / 2)
        if mark.upright:
            x = plot.at(mark.value, plot.y.low).x()
            painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()))
            right = x + 4 + width(text, pixels) <= box.right()
            left = x + 4 if right else x - 4 - width(text, pixels)
            runs = [TextRun(text, left, middle(box.top() + line_height(pixels) / 2, pixels), pixels, "dim")]
        else:
            y = plot.at(plot.x.low, mark.value).y()
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
            runs = [TextRun(text, box.right() - width(text, pixels) - 3, y - 4, pixels, "dim")]
        draw_runs(painter, runs, theme)

    def _handle(self, painter: QPainter, handle: Handle, theme: Theme) -> None:
        at = self.plot.at(handle.x, handle.y)
        colour = QColor(theme.curves[handle.index % len(theme.curves)])
        painter.setPen(QPen(theme.color("panel"), 1.5))
        painter.setBrush(colour)
        painter.drawEllipse(at, handle.radius, handle.radius)
        if handle.text:
            pixels = SMALL * self.plot.scale
            wide = width(handle.text, pixels)
            x = min(max(at.x() - wide / 2, self.plot.box.left()), self.plot.box.right() - wide)
            y = at.y() - handle.radius - 5
            if y - pixels < self.plot.box.top():
                y = at.y() + handle.radius + pixels + 3
            draw_runs(painter, [TextRun(handle.text, x, y, pixels, "text")], theme)
