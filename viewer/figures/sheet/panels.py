"""Panels: several small parts that belong together, side by side in lines of so many, however narrow."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from viewer.figures.canvas.theme import Theme
from viewer.figures.sheet.part import Part, Placed, Row, draw_heading, heading_height

_GAP = 12.0


@dataclass(frozen=True, eq=False)
class Panels:
    """Parts of one kind; see `Part`.

    Attributes:
        parts: each with its own heading.
        across: how many stand in a line.
    """

    heading: str
    parts: tuple[Part, ...]
    across: int
    share: float = 1.0

    def height(self, width: float, scale: float) -> float:
        """See `Part`."""
        wide = self._wide(width, scale)
        tallest = max((part.height(wide, scale) for part in self.parts), default=0.0)
        return heading_height(self.heading, scale) + self._lines() * (tallest + _GAP * scale)

    def placed(self, rect: QRectF, scale: float) -> Placed:
        """See `Part`."""
        return PlacedPanels(self, rect, scale)

    def rows(self) -> Iterator[Row]:
        """See `Part`."""
        for part in self.parts:
            for row in part.rows():
                what, *rest = row
                yield (f"{part.heading} · {what}", *rest)

    def size(self) -> tuple[int, int]:
        """See `Part`; the parts' rows below one another."""
        sizes = [part.size() for part in self.parts]
        return sum(rows for rows, _ in sizes), max((columns for _, columns in sizes), default=0)

    def said(self, row: int, column: int) -> str:
        """See `Part`."""
        part, own = self.part_of(row)
        said = self.parts[part].said(own, column) if column < self.parts[part].size()[1] else ""
        return f"{self.parts[part].heading} · {said}" if said else ""

    def part_of(self, row: int) -> tuple[int, int]:
        """Which part a row of all of them belongs to, and its place there."""
        for place, part in enumerate(self.parts):
            rows, _ = part.size()
            if row < rows:
                return place, row
            row -= rows
        raise IndexError(row)

    def places(self, rect: QRectF, scale: float) -> list[QRectF]:
        """Where each of its parts goes."""
        above = rect.top() + heading_height(self.heading, scale)
        wide, gap = self._wide(rect.width(), scale), _GAP * scale
        tall = max(1.0, (rect.bottom() - above) / max(1, self._lines()) - gap)
        found = []
        for at in range(len(self.parts)):
            line, column = divmod(at, self.across)
            found.append(QRectF(rect.left() + column * (wide + gap), above + line * (tall + gap), wide, tall))
        return found

    def _lines(self) -> int:
        return math.ceil(len(self.parts) / self.across)

    def _wide(self, width: float, scale: float) -> float:
        return max(1.0, (width - (self.across - 1) * _GAP * scale) / self.across)


class PlacedPanels(Placed):
    """Panels in their places."""

    def __init__(self, part: Panels, rect: QRectF, scale: float) -> None:
        self.part, self.rect, self.scale = part, rect, scale
        self.parts = [
            one.placed(place, scale) for one, place in zip(part.parts, part.places(rect, scale), strict=True)
        ]

    def paint(self, painter: QPainter, theme: Theme, *, vector: bool) -> None:
        """See `Placed`."""
        draw_heading(painter, self.part.heading, self.rect, self.scale, theme)
        for placed in self.parts:
            painter.save()
            placed.paint(painter, theme, vector=vector)
            painter.restore()

    def sentence_at(self, point: QPointF) -> str:
        """See `Placed`."""
        for part, placed in zip(self.part.parts, self.parts, strict=True):
            said = placed.sentence_at(point)
            if said:
                return f"{part.heading} · {said}"
        return ""

    def rect_of(self, row: int, column: int) -> QRectF:
        """See `Placed`."""
        part, own = self.part.part_of(row)
        return self.parts[part].rect_of(own, column)

    def picked_at(self, point: QPointF) -> dict[str, int]:
        """See `Placed`."""
        return next((found for placed in self.parts if (found := placed.picked_at(point))), {})
