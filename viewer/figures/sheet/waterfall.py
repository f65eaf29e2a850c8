"""Waterfall: signed parts, each from where the one before it ended, and what they add up to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from viewer.figures.canvas.lettering import SMALL, TextRun, draw_runs, elided, middle, width
from viewer.figures.canvas.numerals import format_number
from viewer.figures.canvas.theme import Theme
from viewer.figures.sheet.part import Placed, Row, draw_heading, heading_height, number_cell

_BAR = 15.0
_NAME = 0.46  # of the width, at most
_GAP = 6.0


@dataclass(frozen=True, eq=False)
class Waterfall:
    """Parts of a sum, from 0; see `Part`.

    Attributes:
        names: what each part is; values: a number each.
        total_name: what they add up to; the last bar, from 0.
    """

    heading: str
    names: Sequence[str]
    values: Sequence[float]
    total_name: str
    share: float = 1.0

    @classmethod
    def of_largest(
        cls, heading: str, parts: Sequence[tuple[str, float]], most: int, total_name: str
    ) -> Waterfall:
        """The parts with most effect, largest first, and all others together as the last one."""
        ranked = sorted(parts, key=lambda part: -abs(part[1]))
        shown, rest = (ranked, []) if len(ranked) <= most + 1 else (ranked[:most], ranked[most:])
        if rest:
            text = QCoreApplication.translate("Waterfall", "{count} others together")
            shown.append((text.format(count=len(rest)), math.fsum(value for _, value in rest)))
        return cls(heading, [name for name, _ in shown], [value for _, value in shown], total_name)

    @property
    def total(self) -> float:
        """What all parts add up to."""
        return math.fsum(self.values)

    def spans(self) -> list[tuple[float, float]]:
        """Where each bar begins and ends; the sum's last."""
        found, at = [], 0.0
        for value in self.values:
            found.append((at, at + value))
            at += value
        return [*found, (0.0, self.total)]

    def height(self, width: float, scale: float) -> float:
        """See `Part`."""
        return heading_height(self.heading, scale) + (len(self.names) + 1) * (_BAR + _GAP) * scale

    def placed(self, rect: QRectF, scale: float) -> Placed:
        """See `Part`."""
        return PlacedWaterfall(self, rect, scale)

    def rows(self) -> Iterator[Row]:
        """See `Part`; the sum last."""
        for name, value in zip(self.names, self.values, strict=True):
            yield (name, "", number_cell(value))
        yield (self.total_name, "", number_cell(self.total))

    def size(self) -> tuple[int, int]:
        """See `Part`: a part a row, and the sum."""
        return len(self.names) + 1, 1

    def said(self, row: int, column: int) -> str:
        """See `Part`."""
        if row == len(self.names):
            return f"{self.total_name}: {format_number(self.total)}"
        text = QCoreApplication.translate("Waterfall", "{name}: {value}; so far {sum}")
        values = {"value": signed(self.values[row]), "sum": format_number(self.spans()[row][1])}
        return text.format(name=self.names[row], **values)


class PlacedWaterfall(Placed):
    """Bars in their place: names at the left, numbers in a column at the right."""

    def __init__(self, part: Waterfall, rect: QRectF, scale: float) -> None:
        self.part, self.rect, self.scale = part, rect, scale
        self._pixels = SMALL * scale
        self._top = rect.top() + heading_height(part.heading, scale)
        rows = len(part.names) + 1
        self._row = min((_BAR + _GAP) * scale, max(4.0, (rect.bottom() - self._top) / rows))
        named = [*part.names, part.total_name]
        self._name = min(max(width(name, self._pixels, True) for name in named), _NAME * rect.width())
        self._spans = part.spans()
        self._numbers = [*map(signed, part.values), format_number(part.total)]
        number = max(width(text, self._pixels, True) for text in self._numbers)
        left = rect.left() + self._name + 8 * scale
        right = max(left + 4.0, rect.right() - number - 8 * scale)
        low, high = min(0.0, *map(min, self._spans)), max(0.0, *map(max, self._spans))
        self._low, self._per = low, (right - left) / ((high - low) or 1.0)
        self._left = left

    def x(self, value: float) -> float:
        """Where a value stands."""
        return self._left + (value - self._low) * self._per

    def bar(self, row: int) -> QRectF:
        """Where the bar of a part is; the sum's is the last."""
        begin, end = sorted(map(self.x, self._spans[row]))
        thick = max(2.0, self._row - _GAP * self.scale)
        return QRectF(begin, self._top + row * self._row, max(1.0, end - begin), thick)

    def row_at(self, point: QPointF) -> int | None:
        """The row under a point."""
        if not self.rect.contains(point) or point.y() < self._top:
            return None
        row = int((point.y() - self._top) / self._row)
        return row if row < len(self._spans) else None

    def sentence_at(self, point: QPointF) -> str:
        """See `Placed`."""
        row = self.row_at(point)
        return "" if row is None else self.part.said(row, 0)

    def rect_of(self, row: int, column: int) -> QRectF:
        """See `Placed`."""
        return QRectF(self.rect.left(), self._top + row * self._row, self.rect.width(), self._row)

    def paint(self, painter: QPainter, theme: Theme, *, vector: bool) -> None:
        """See `Placed`; what lowers the sum has a dark edge where it ends, told without colours."""
        part, scale, pixels = self.part, self.scale, self._pixels
        draw_heading(painter, part.heading, self.rect, scale, theme)
        foot = self._top + self._row * len(self._spans)
        painter.setPen(QPen(theme.color("outline"), 1))
        painter.drawLine(QPointF(self.x(0.0), self._top), QPointF(self.x(0.0), foot))
        runs = []
        last = len(part.names)
        for row, (name, number) in enumerate(zip([*part.names, part.total_name], self._numbers, strict=True)):
            bar, strong = self.bar(row), row == last
            self._paint_bar(painter, theme, bar, row)
            if row < last - 1:
                x = self.x(self._spans[row][1])
                painter.setPen(QPen(theme.color("outline"), 1, Qt.PenStyle.DotLine))
                painter.drawLine(
                    QPointF(x, bar.bottom()), QPointF(x, bar.bottom() + self._row - bar.height())
                )
            y = middle(bar.center().y(), pixels)
            text = elided(name, pixels, self._name, strong)
            runs.append(TextRun(text, self.rect.left(), y, pixels, "text", strong))
            x = self.rect.right() - width(number, pixels, strong)
            runs.append(TextRun(number, x, y, pixels, "text" if strong else "dim", strong))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        draw_runs(painter, runs, theme)

    def _paint_bar(self, painter: QPainter, theme: Theme, bar: QRectF, row: int) -> None:
        """The sum in the text's grey, what is added in the one hue, what is taken in the other."""
        painter.setPen(Qt.PenStyle.NoPen)
        if row == len(self.part.names):
            painter.setBrush(theme.color("dim"))
            painter.drawRect(bar)
            return
        falls = self.part.values[row] < 0
        colour = QColor.fromRgb(int(theme.diverging[60 if falls else 195]))
        painter.setBrush(colour)
        painter.drawRect(bar)
        if falls:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("text"), 1))
            painter.drawLine(bar.topLeft(), bar.bottomLeft())


def signed(value: float) -> str:
    """As `format_number`, with the plus of what is added."""
    return f"+{format_number(value)}" if value > 0 else format_number(value)
