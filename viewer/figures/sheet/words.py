"""Words: lines of tokens on coloured grounds, wrapped, with what each line is before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from viewer.figures.canvas.cell_colours import codes, palette
from viewer.figures.canvas.contrast import readable_on
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
from viewer.figures.sheet.part import Placed, Row, draw_heading, heading_height

_PAD = 5.0
_GAP = 4.0


@dataclass(frozen=True)
class Token:
    """A token.

    Attributes:
        level: ground from 0 (none) to 1, below 0 in the colours of what is less; `value` is its number for
            tooltip and table, None where there is none.
        framed: it stands out.
        struck: it is wrong, or taken out.
        tip: what else there is to say.
    """

    text: str
    level: float = 0.0
    value: float | None = None
    framed: bool = False
    struck: bool = False
    tip: str = ""


@dataclass(frozen=True)
class TokenLine:
    """Tokens, with what they are before them; `pick`: the `Place` control that a click on one sets."""

    name: str
    tokens: tuple[Token, ...]
    pick: str = ""


@dataclass(frozen=True, eq=False)
class Words:
    """Lines of tokens; see `Part`."""

    heading: str
    lines: tuple[TokenLine, ...]
    signed: bool = False
    share: float = 1.0

    def height(self, width: float, scale: float) -> float:
        """See `Part`."""
        placed = PlacedWords(self, QRectF(0, 0, width, 1e6), scale)
        return placed.bottom

    def placed(self, rect: QRectF, scale: float) -> Placed:
        """See `Part`."""
        return PlacedWords(self, rect, scale)

    def rows(self) -> Iterator[Row]:
        """See `Part`."""
        for line in self.lines:
            for token in line.tokens:
                yield (line.name, token.text, "" if token.value is None else token.value)

    def size(self) -> tuple[int, int]:
        """See `Part`."""
        return len(self.lines), max((len(line.tokens) for line in self.lines), default=0)

    def said(self, row: int, column: int) -> str:
        """See `Part`."""
        tokens = self.lines[row].tokens
        if column >= len(tokens):
            return ""
        token = tokens[column]
        if token.tip:
            return token.tip
        return token.text if token.value is None else f"{token.text}: {token.value:.4g}"


class PlacedWords(Placed):
    """Lines of tokens in their place.

    Attributes:
        boxes: each token's, line by line.
        bottom: where the last line ends.
    """

    def __init__(self, part: Words, rect: QRectF, scale: float) -> None:
        self.part, self.rect, self.scale = part, rect, scale
        pixels, small = LABEL * scale, SMALL * scale
        named = max((width(line.name, small) for line in part.lines), default=0.0)
        self._name = min(named, 0.3 * rect.width())
        left = rect.left() + (self._name + 10 * scale if named else 0.0)
        tall = line_height(pixels) + 6 * scale
        y = rect.top() + heading_height(part.heading, scale)
        self.boxes: list[list[QRectF]] = []
        self._tops: list[float] = []
        for line in part.lines:
            x, row = left, []
            self._tops.append(y)
            for token in line.tokens:
                wide = min(width(token.text, pixels) + 2 * _PAD * scale, rect.right() - left)
                if x + wide > rect.right() and x > left:
                    x, y = left, y + tall + _GAP * scale
                row.append(QRectF(x, y, wide, tall))
                x += wide + _GAP * scale
            self.boxes.append(row)
            y += tall + (_GAP + 4) * scale
        self.bottom = y

    def _token_at(self, point: QPointF) -> tuple[int, int] | None:
        for row, boxes in enumerate(self.boxes):
            for column, box in enumerate(boxes):
                if box.contains(point):
                    return row, column
        return None

    def sentence_at(self, point: QPointF) -> str:
        """See `Placed`."""
        found = self._token_at(point)
        return "" if found is None else self.part.said(*found)

    def rect_of(self, row: int, column: int) -> QRectF:
        """See `Placed`."""
        return self.boxes[row][column] if column < len(self.boxes[row]) else QRectF()

    def picked_at(self, point: QPointF) -> dict[str, int]:
        """See `Placed`."""
        found = self._token_at(point)
        pick = "" if found is None else self.part.lines[found[0]].pick
        return {pick: found[1]} if found is not None and pick else {}

    def paint(self, painter: QPainter, theme: Theme, *, vector: bool) -> None:
        """See `Placed`."""
        part, scale = self.part, self.scale
        pixels, small = LABEL * scale, SMALL * scale
        draw_heading(painter, part.heading, self.rect, scale, theme)
        levels = (-1.0, 1.0) if part.signed else (0.0, 1.0)
        table = palette(theme, levels)
        runs = []
        for line, boxes, top in zip(part.lines, self.boxes, self._tops, strict=True):
            name = elided(line.name, small, self._name)
            tall = line_height(pixels) + 6 * scale
            runs.append(TextRun(name, self.rect.left(), middle(top + tall / 2, small), small, "dim"))
            for token, box in zip(line.tokens, boxes, strict=True):
                level = np.array([[token.level]], np.float32)
                ground = QColor.fromRgb(int(table[codes(level, None, levels, sqrt_scale=False)[0, 0]]))
                painter.setBrush(ground if token.level else Qt.BrushStyle.NoBrush)
                edge = QPen(theme.color("accent"), 2) if token.framed else QPen(theme.color("outline"), 1)
                painter.setPen(edge)
                painter.drawRoundedRect(box, 4 * scale, 4 * scale)
                role = readable_on(ground, theme) if token.level else "text"
                text = elided(token.text, pixels, box.width() - 2)
                x = box.center().x() - width(text, pixels) / 2
                runs.append(TextRun(text, x, middle(box.center().y(), pixels), pixels, role))
                if token.struck:
                    painter.setPen(QPen(theme.color("text"), 1.5))
                    y = box.center().y()
                    painter.drawLine(QPointF(box.left() + 3, y), QPointF(box.right() - 3, y))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        draw_runs(painter, runs, theme)
