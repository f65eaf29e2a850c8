"""TextTable: a small table of texts, its first line a header; numbers stand at the right of their column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from viewer.figures.canvas.lettering import SMALL, TextRun, draw_runs, elided, line_height, middle, width
from viewer.figures.canvas.theme import Theme
from viewer.figures.sheet.part import Placed, Row, draw_heading, heading_height

_GAP, _LEAST_GAP = 14.0, 7.0
_FIRST = 0.25  # of the width, at least, for the first column
_SMALLER, _DENSEST = 0.8, 0.6  # of its usual size the type is at least; of many columns


@dataclass(frozen=True, eq=False)
class TextTable:
    """A table; see `Part`.

    Attributes:
        header: a name a column.
        lines: texts, in number as the header.
        strong: lines that stand out.
        dense: of many columns: the type gives way before their names do.
    """

    heading: str
    header: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    strong: tuple[int, ...] = ()
    dense: bool = False
    share: float = 1.0

    def height(self, width: float, scale: float) -> float:
        """See `Part`."""
        return heading_height(self.heading, scale) + (len(self.lines) + 1) * self.line(scale)

    def line(self, scale: float) -> float:
        """Height of a line."""
        return line_height(SMALL * scale) + 6 * scale

    def placed(self, rect: QRectF, scale: float) -> Placed:
        """See `Part`."""
        return PlacedTable(self, rect, scale)

    def rows(self) -> Iterator[Row]:
        """See `Part`."""
        for line in self.lines:
            for name, text in zip(self.header[1:], line[1:], strict=True):
                yield (line[0], name, text)

    def size(self) -> tuple[int, int]:
        """See `Part`: the header is in what each text says."""
        return len(self.lines), len(self.header)

    def said(self, row: int, column: int) -> str:
        """See `Part`."""
        name, text = self.header[column], self.lines[row][column]
        return f"{name}: {text}" if name else text


class PlacedTable(Placed):
    """A table in its place: columns as wide as they need. Where that is too much, the gaps give way, then the
    first, then the type, at last all columns alike.
    """

    def __init__(self, part: TextTable, rect: QRectF, scale: float) -> None:
        self.part, self.rect, self.scale = part, rect, scale
        columns: list[tuple[str, ...]] = list(zip(part.header, *part.lines, strict=True))
        self._pixels = SMALL * scale
        texts = sum(max(width(text, self._pixels, True) for text in column) for column in columns)
        gap = (rect.width() - texts) / max(1, len(columns))
        self._gap = min(max(gap, _LEAST_GAP * scale), _GAP * scale)
        if part.dense:
            # Tried and not worked out: letters are not narrower in proportion to their size.
            while self._needs(columns) > rect.width() and self._pixels > _DENSEST * SMALL * scale:
                self._pixels -= 0.25 * scale
        self._wide = self._widths(columns)
        whole = sum(self._wide)
        if whole > rect.width():
            self._pixels *= max(_SMALLER, rect.width() / whole)
            self._wide = self._widths(columns)
            factor = min(1.0, rect.width() / max(1.0, sum(self._wide)))
            self._wide = [wide * factor for wide in self._wide]
        self._numeric = [
            index > 0 and all(_numeric(text) for text in column[1:]) for index, column in enumerate(columns)
        ]

    def _needs(self, columns: list[tuple[str, ...]]) -> float:
        """Width that all texts take at the size of type in force."""
        texts = sum(max(width(text, self._pixels, True) for text in column) for column in columns)
        return texts + self._gap * len(columns)

    def _widths(self, columns: list[tuple[str, ...]]) -> list[float]:
        pixels, gap = self._pixels, self._gap
        wide = [max(width(text, pixels, True) for text in column) + gap for column in columns]
        over = sum(wide) - self.rect.width()
        if over > 0 and len(wide) > 1:
            # Names of columns give way before what stands in the first, and numbers last.
            bare = [
                max((width(text, pixels, True) for text in column[1:]), default=0.0) for column in columns
            ]
            spare = [max(0.0, w - gap - b) if index else 0.0 for index, (w, b) in enumerate(zip(wide, bare))]
            share = min(1.0, over / sum(spare)) if sum(spare) else 0.0
            wide = [w - share * s for w, s in zip(wide, spare)]
            over = sum(wide) - self.rect.width()
        if over > 0 and wide:
            wide[0] = max(wide[0] - over, min(wide[0], _FIRST * self.rect.width()))
        return wide

    def sentence_at(self, point: QPointF) -> str:
        """See `Placed`."""
        rows, columns = self.part.size()
        every = ((row, column) for row in range(rows) for column in range(columns))
        return next((self.part.said(*cell) for cell in every if self.rect_of(*cell).contains(point)), "")

    def rect_of(self, row: int, column: int) -> QRectF:
        """See `Placed`."""
        tall = self.part.line(self.scale)
        top = self.rect.top() + heading_height(self.part.heading, self.scale) + (row + 1) * tall
        return QRectF(self.rect.left() + sum(self._wide[:column]), top, self._wide[column], tall)

    def paint(self, painter: QPainter, theme: Theme, *, vector: bool) -> None:
        """See `Placed`."""
        part, scale, pixels = self.part, self.scale, self._pixels
        draw_heading(painter, part.heading, self.rect, scale, theme)
        y = self.rect.top() + heading_height(part.heading, scale)
        tall = part.line(scale)
        runs = []
        for index, line in enumerate((part.header, *part.lines)):
            x, strong = self.rect.left(), index == 0 or index - 1 in part.strong
            role = "dim" if index == 0 else "accent" if strong else "text"
            for column, text in enumerate(line):
                room = self._wide[column] - self._gap + 0.01  # not elided for a rounding
                shown = elided(text, pixels, room, strong)
                left = x + room - width(shown, pixels, strong) if self._numeric[column] else x
                runs.append(TextRun(shown, left, middle(y + tall / 2, pixels), pixels, role, strong))
                x += self._wide[column]
            y += tall
            painter.setPen(QPen(theme.color("outline" if index == 0 else "grid"), 1))
            painter.drawLine(QPointF(self.rect.left(), y), QPointF(min(x, self.rect.right()), y))
        draw_runs(painter, runs, theme)


def _numeric(text: str) -> bool:
    return text.strip("−-+ %×.,0123456789e–") == ""
