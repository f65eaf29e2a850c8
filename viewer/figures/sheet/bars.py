"""Bars: one number a name, lying; with several series a bar each under one name."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from viewer.figures.canvas.lettering import SMALL, TextRun, draw_runs, elided, line_height, middle, width
from viewer.figures.canvas.numerals import format_number
from viewer.figures.canvas.theme import Theme
from viewer.figures.sheet.part import Placed, Row, draw_heading, heading_height, number_cell

_BAR = 15.0
_NAME = 0.32  # of the width, at most


@dataclass(frozen=True, eq=False)
class BarSeries:
    """Values under every name; NaN: none. `index`: which of the theme's curves."""

    name: str
    values: Sequence[float]
    index: int = 0


@dataclass(frozen=True, eq=False)
class Bars:
    """Bars; see `Part`.

    Attributes:
        names: what each row is.
        series: one or several.
        most: the value of a full bar, 0: the largest; below 0 bars go to the left of a common line.
        strong: rows that stand out.
        pick: the `Place` control that a click on a row sets; empty for none.
    """

    heading: str
    names: Sequence[str]
    series: tuple[BarSeries, ...]
    most: float = 0.0
    strong: tuple[int, ...] = ()
    pick: str = ""
    share: float = 1.0

    def height(self, width: float, scale: float) -> float:
        """See `Part`."""
        legend = line_height(SMALL * scale) + 4 * scale if len(self.series) > 1 else 0.0
        return heading_height(self.heading, scale) + legend + len(self.names) * self.row_height(scale)

    def row_height(self, scale: float) -> float:
        """Of all series under one name."""
        return (_BAR * len(self.series) + 6) * scale

    def placed(self, rect: QRectF, scale: float) -> Placed:
        """See `Part`."""
        return PlacedBars(self, rect, scale)

    def rows(self) -> Iterator[Row]:
        """See `Part`."""
        for series in self.series:
            for name, value in zip(self.names, series.values, strict=True):
                yield (series.name, name, number_cell(value))

    def size(self) -> tuple[int, int]:
        """See `Part`: a name a row."""
        return len(self.names), 1

    def said(self, row: int, column: int) -> str:
        """See `Part`."""
        found = [
            f"{series.name}: {format_number(series.values[row])}".lstrip(": ")
            for series in self.series
            if math.isfinite(series.values[row])
        ]
        return " · ".join([self.names[row], *found])


class PlacedBars(Placed):
    """Bars in their place: names at the left, values at their ends."""

    def __init__(self, part: Bars, rect: QRectF, scale: float) -> None:
        self.part, self.rect, self.scale = part, rect, scale
        self._pixels = SMALL * scale
        self._top = rect.top() + heading_height(part.heading, scale)
        if len(part.series) > 1:
            self._top += line_height(self._pixels) + 4 * scale
        rows = max(1, len(part.names))
        self._row = min(part.row_height(scale), max(4.0, (rect.bottom() - self._top) / rows))
        named = max((width(name, self._pixels, True) for name in part.names), default=0.0)
        self._name = min(named, _NAME * rect.width()) + 8 * scale
        values = [float(v) for series in part.series for v in series.values if math.isfinite(v)]
        self._signed = min(values, default=0.0) < 0
        self._most = part.most or max(map(abs, values), default=1.0) or 1.0
        number = max((width(format_number(v), self._pixels) for v in values), default=0.0) + 8 * scale
        left = rect.left() + self._name
        self._room = max(4.0, rect.right() - left - number * (2 if self._signed else 1))
        self._zero = left + (number + self._room / 2 if self._signed else 0.0)

    def row_at(self, point: QPointF) -> int | None:
        """The row under a point."""
        if not self.rect.contains(point) or point.y() < self._top:
            return None
        row = int((point.y() - self._top) / self._row)
        return row if row < len(self.part.names) else None

    def sentence_at(self, point: QPointF) -> str:
        """See `Placed`."""
        row = self.row_at(point)
        return "" if row is None else self.part.said(row, 0)

    def rect_of(self, row: int, column: int) -> QRectF:
        """See `Placed`."""
        return QRectF(self.rect.left(), self._top + row * self._row, self.rect.width(), self._row)

    def picked_at(self, point: QPointF) -> dict[str, int]:
        """See `Placed`."""
        row = self.row_at(point)
        return {} if row is None or not self.part.pick else {self.part.pick: row}

    def paint(self, painter: QPainter, theme: Theme, *, vector: bool) -> None:
        """See `Placed`."""
        part, scale, pixels = self.part, self.scale, self._pixels
        draw_heading(painter, part.heading, self.rect, scale, theme)
        if len(part.series) > 1:
            self._legend(painter, theme)
        thick = max(2.0, (self._row - 6 * scale) / max(1, len(part.series)))
        if self._signed:
            painter.setPen(QPen(theme.color("outline"), 1))
            foot = self._top + self._row * len(part.names)
            painter.drawLine(QPointF(self._zero, self._top), QPointF(self._zero, foot))
        runs = []
        for row, name in enumerate(part.names):
            y, strong = self._top + row * self._row, row in part.strong
            text = elided(name, pixels, self._name - 8 * scale, strong)
            role = "accent" if strong else "text"
            centre = y + (self._row - 6 * scale) / 2
            runs.append(TextRun(text, self.rect.left(), middle(centre, pixels), pixels, role, strong))
            for place, series in enumerate(part.series):
                value = float(series.values[row])
                if not math.isfinite(value):
                    continue
                reach = self._room / (2 if self._signed else 1) * min(1.0, abs(value) / self._most)
                top = y + place * thick
                bar = QRectF(self._zero - (reach if value < 0 else 0), top + 1, reach, max(1.0, thick - 2))
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(theme.curves[series.index % len(theme.curves)]))
                painter.drawRect(bar)
                said = format_number(value)
                x = bar.right() + 4 * scale
                if value < 0:
                    x = bar.left() - 4 * scale - width(said, pixels)
                runs.append(TextRun(said, x, middle(top + thick / 2, pixels), pixels, "dim"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        draw_runs(painter, runs, theme)

    def _legend(self, painter: QPainter, theme: Theme) -> None:
        scale, pixels = self.scale, self._pixels
        x = self.rect.left()
        y = self.rect.top() + heading_height(self.part.heading, scale) + line_height(pixels) / 2
        for series in self.part.series:
            swatch = QRectF(x, y - 5 * scale, 10 * scale, 10 * scale)
            painter.fillRect(swatch, QColor(theme.curves[series.index % len(theme.curves)]))
            text = elided(series.name, pixels, max(0.0, self.rect.right() - x - 14 * scale))
            draw_runs(painter, [TextRun(text, x + 14 * scale, middle(y, pixels), pixels, "dim")], theme)
            x += 14 * scale + width(text, pixels) + 16 * scale
