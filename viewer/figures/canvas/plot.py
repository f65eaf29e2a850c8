"""Plots: small ones of numbers over numbers, where they go, and how they are drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from viewer.figures.canvas.curves import curve_pen
from viewer.figures.canvas.lettering import (
    LABEL,
    SMALL,
    TextRun,
    draw_runs,
    elided,
    line_height,
    middle,
    width,
)
from viewer.figures.canvas.theme import Theme

_MOST_DOTS = 160


@dataclass(frozen=True)
class Axis:
    """One axis: range, title, whether it is logarithmic, and whether only whole numbers are marked on it."""

    low: float
    high: float
    title: str
    log: bool = False
    whole: bool = False

    def share(self, value: float) -> float:
        """Where a value is on the axis, 0 at its beginning and 1 at its end."""
        low, high = self.low, self.high
        if self.log:
            value, low, high = math.log(max(value, 1e-300)), math.log(low), math.log(high)
        return (value - low) / (high - low) if high > low else 0.5

    def ticks(self, room: float, apart: float) -> list[float]:
        """Round values at least `apart` from each other on an axis `room` long."""
        found = self._decades() if self.log else self._steps(max(1, int(room / max(1.0, apart))))
        kept: list[float] = []
        for value in found:
            if self.whole and not float(value).is_integer():
                continue
            if not kept or abs(self.share(value) - self.share(kept[-1])) * room >= apart:
                kept.append(value)
        return kept

    def _decades(self) -> list[float]:
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        values = [10.0**power for power in range(first, last + 1)]
        inside = [value for value in values if self.low * 0.999 <= value <= self.high * 1.001]
        if len(inside) >= 2:
            return inside
        between = [factor * value for value in values for factor in (1, 2, 5)]
        return [value for value in between if self.low * 0.999 <= value <= self.high * 1.001]

    def _steps(self, most: int) -> list[float]:
        span = self.high - self.low
        if span <= 0:
            return [self.low]
        rough = span / most
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [index * step for index in range(first, last + 1)]


@dataclass(frozen=True)
class Series:
    """One curve: values over `first`, `first` + 1, …

    Attributes:
        index: which of the theme's curves.
        dots: draw a dot for every value where there is room.
    """

    values: Sequence[float]
    name: str
    index: int = 0
    dots: bool = False
    first: int = 0


@dataclass(frozen=True)
class Plot:
    """A plot, placed."""

    box: QRectF
    x: Axis
    y: Axis
    heading: str
    head: QRectF
    series: tuple[Series, ...]
    scale: float
    legend: tuple[tuple[QRectF, int], ...] = ()

    def at(self, x: float, y: float) -> QPointF:
        """Where a point is drawn."""
        across = self.box.left() + self.x.share(x) * self.box.width()
        return QPointF(across, self.box.bottom() - self.y.share(y) * self.box.height())

    def index_at(self, point: QPointF) -> int | None:
        """The whole number on the horizontal axis under a point of the plot; None outside."""
        if not self.box.adjusted(-4, 0, 4, 0).contains(point) or self.box.width() <= 0:
            return None
        share = (point.x() - self.box.left()) / self.box.width()
        value = round(self.x.low + share * (self.x.high - self.x.low))
        return int(min(max(value, math.ceil(self.x.low)), math.floor(self.x.high)))

    def strip_of(self, index: float) -> QRectF:
        """What is nearest to a number on the horizontal axis, as high as the plot."""
        span = self.x.high - self.x.low
        half = self.box.width() / span / 2 if span > 0 else self.box.width()
        x = self.at(index, self.y.low).x()
        strip = QRectF(x - half, self.box.top(), 2 * half, self.box.height())
        return strip.intersected(self.box.adjusted(-4, 0, 4, 0))


def place_plot(rect: QRectF, heading: str, x: Axis, y: Axis, series: Iterable[Series], scale: float) -> Plot:
    """Lay a plot out in `rect`: heading, legend, axes with their numbers, and what is left for the curves."""
    pixels, line = SMALL * scale, line_height(SMALL * scale)
    series = tuple(series)
    head = QRectF(rect.left(), rect.top(), rect.width(), line_height(LABEL * scale))
    places: list[tuple[QRectF, int]] = []
    left, top = rect.left(), head.bottom() + 2 * scale
    named = [entry for entry in series if entry.name]
    for place, entry in enumerate(series):
        if len(named) < 2 or not entry.name:
            continue
        wide = min(rect.width(), 24 * scale + width(entry.name, pixels))
        if left > rect.left() and left + wide > rect.right():
            left, top = rect.left(), top + line
        places.append((QRectF(left, top, wide, line), place))
        left += wide + 14 * scale
    above = (places[-1][0].bottom() if places else head.bottom()) + 8 * scale
    below = 2 * line + 8 * scale
    tall = max(0.0, rect.bottom() - below - above)
    numbers = max((width(number_text(v), pixels) for v in y.ticks(tall, 1.6 * line)), default=0.0)
    last = max((width(number_text(v), pixels) for v in x.ticks(rect.width(), 1)[-1:]), default=0.0)
    before = line + 4 * scale + numbers + 8 * scale
    box = QRectF(
        rect.left() + before, above, max(0.0, rect.width() - before - max(last / 2, 4 * scale)), tall
    )
    return Plot(box, x, y, heading, head, series, scale, tuple(places))


def draw_plot(painter: QPainter, plot: Plot, theme: Theme, *, marked: float | None = None) -> None:
    """Draw heading, legend, axes and curves; `marked`: a chosen value on the horizontal axis."""
    pixels, scale = LABEL * plot.scale, plot.scale
    text = elided(plot.heading, pixels, plot.head.width(), True)
    y = middle(plot.head.center().y(), pixels)
    draw_runs(painter, [TextRun(text, plot.head.left(), y, pixels, "text", True)], theme)
    _legend(painter, plot, theme)
    if plot.box.width() < 8 or plot.box.height() < 8:
        return
    _frame(painter, plot, theme)
    if marked is not None:
        x = plot.at(marked, plot.y.low).x()
        painter.setPen(QPen(theme.color("accent"), 1.2 * scale, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, plot.box.top()), QPointF(x, plot.box.bottom()))
    painter.save()
    painter.setClipRect(plot.box.adjusted(-4 * scale, -4 * scale, 4 * scale, 4 * scale))
    for entry in plot.series:
        _curve(painter, plot, entry, theme)
    if marked is not None:
        for entry in plot.series:
            place = round(marked) - entry.first
            if 0 <= place < len(entry.values) and math.isfinite(entry.values[place]):
                _dot(painter, plot.at(marked, entry.values[place]), 4.5 * scale, entry.index, theme)
    painter.restore()


def draw_band(
    painter: QPainter, plot: Plot, low: Sequence[float], high: Sequence[float], theme: Theme
) -> None:
    """Shade what lies between two curves; before `draw_plot`."""
    outline = QPolygonF([plot.at(x, y) for x, y in enumerate(low)])
    for x in range(len(high) - 1, -1, -1):
        outline.append(plot.at(x, high[x]))
    painter.save()
    painter.setClipRect(plot.box)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("highlight"))
    painter.drawPolygon(outline)
    painter.restore()


def number_text(value: float) -> str:
    """A number beside an axis, with thousands and a true minus."""
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return text.replace("-", "−")


def span(*curves: Sequence[float], zero: bool = False) -> tuple[float, float]:
    """The range that holds all finite values, with a little air; from 0 on if `zero`."""
    values = [float(value) for curve in curves for value in curve if math.isfinite(value)]
    if not values:
        return 0.0, 1.0
    low, high = min(values), max(values)
    if zero:
        low = min(0.0, low)
    air = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
    return (low if zero and low == 0 else low - air), high + air


def _legend(painter: QPainter, plot: Plot, theme: Theme) -> None:
    pixels, scale = SMALL * plot.scale, plot.scale
    for place, number in plot.legend:
        entry = plot.series[number]
        y = place.center().y()
        painter.setPen(curve_pen(entry.index, theme, 1.8 * scale))
        painter.drawLine(QPointF(place.left(), y), QPointF(place.left() + 18 * scale, y))
        text = elided(entry.name, pixels, place.width() - 24 * scale + 1)
        runs = [TextRun(text, place.left() + 24 * scale, middle(y, pixels), pixels, "dim")]
        draw_runs(painter, runs, theme)


def _frame(painter: QPainter, plot: Plot, theme: Theme) -> None:
    box, pixels, scale = plot.box, SMALL * plot.scale, plot.scale
    line = line_height(pixels)
    runs = []
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for value in plot.y.ticks(box.height(), 1.6 * line):
        y = plot.at(plot.x.low, value).y()
        painter.setPen(QPen(theme.color("faint" if value == 0 else "grid"), 1))
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
        text = number_text(value)
        runs.append(
            TextRun(text, box.left() - 6 * scale - width(text, pixels), middle(y, pixels), pixels, "dim")
        )
    painter.setPen(QPen(theme.color("outline"), 1))
    painter.drawRect(box)
    longest = max(width(number_text(plot.x.high), pixels), 2 * pixels)
    for value in plot.x.ticks(box.width(), 1.5 * longest):
        x = plot.at(value, plot.y.low).x()
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x, box.bottom() + 3))
        text = number_text(value)
        runs.append(
            TextRun(
                text, x - width(text, pixels) / 2, middle(box.bottom() + 5 + line / 2, pixels), pixels, "dim"
            )
        )
    title = elided(plot.x.title, pixels, box.width())
    y = middle(box.bottom() + 5 + 1.5 * line, pixels)
    runs.append(TextRun(title, box.center().x() - width(title, pixels) / 2, y, pixels, "dim"))
    draw_runs(painter, runs, theme)
    # A title that is longer than a low box may use what is above and below it.
    highest = plot.legend[-1][0].bottom() if plot.legend else plot.head.bottom()
    lowest = box.bottom() + 5 + 2 * line
    room = lowest - highest
    title = elided(plot.y.title, pixels, room)
    foot = min(box.center().y() + width(title, pixels) / 2, lowest)
    painter.save()
    painter.translate(plot.head.left() + 0.8 * line, max(foot, highest + width(title, pixels)))
    painter.rotate(-90)
    draw_runs(painter, [TextRun(title, 0.0, 0.0, pixels, "dim")], theme)
    painter.restore()


def _curve(painter: QPainter, plot: Plot, entry: Series, theme: Theme) -> None:
    points = [plot.at(x, y) for x, y in enumerate(entry.values, entry.first) if math.isfinite(y)]
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(curve_pen(entry.index, theme, 1.8 * plot.scale))
    painter.drawPolyline(QPolygonF(points))
    if entry.dots and 3 * len(points) <= plot.box.width() and len(points) <= _MOST_DOTS:
        for point in points:
            _dot(painter, point, 2.2 * plot.scale, entry.index, theme)


def _dot(painter: QPainter, point: QPointF, radius: float, index: int, theme: Theme) -> None:
    painter.setPen(QPen(theme.color("panel"), 1))
    painter.setBrush(QColor(theme.curves[index % len(theme.curves)]))
    painter.drawEllipse(point, radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)
