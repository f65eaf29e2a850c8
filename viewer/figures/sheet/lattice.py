"""Lattice: characters in a row, and over them an arch for every piece that they may be read as."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from viewer.figures.canvas.contrast import readable_on
from viewer.figures.canvas.lettering import (
    LABEL,
    SMALL,
    SMALLEST,
    TextRun,
    draw_runs,
    elided,
    line_height,
    middle,
    width,
)
from viewer.figures.canvas.theme import Theme
from viewer.figures.sheet.part import Placed, Row, draw_heading, heading_height

_CELL = 58.0  # of a character, at most
_GAP = 3.0


@dataclass(frozen=True)
class Arch:
    """A piece over the characters from `start` to before `end`.

    Attributes:
        text: the piece; value: its number, as it is written under it.
        lit: it is of the way in view.
        quiet: it is drawn in broken lines, such as what is not made yet.
        tip: what there is to say of it.
    """

    start: int
    end: int
    text: str
    value: str = ""
    lit: bool = False
    quiet: bool = False
    tip: str = ""


@dataclass(frozen=True, eq=False)
class Lattice:
    """Arches over characters; see `Part`.

    Attributes:
        nested: longer arches stand on shorter ones; else the way in view stands lowest.
    """

    heading: str
    characters: Sequence[str]
    arches: Sequence[Arch]
    nested: bool = False
    share: float = 1.0

    def height(self, width: float, scale: float) -> float:
        """See `Part`."""
        levels = max(self.levels(), default=0) + 1
        characters = line_height(LABEL * scale) + 8 * scale
        return heading_height(self.heading, scale) + levels * self.level(scale) + characters

    def level(self, scale: float) -> float:
        """Height of one level of arches."""
        return line_height(SMALL * scale) + line_height(SMALLEST * scale) + (_GAP + 4) * scale

    def levels(self) -> list[int]:
        """Of every arch how high it stands; short ones below long ones."""

        def place(number: int) -> tuple[bool, int, int]:
            arch = self.arches[number]
            return not (arch.lit or self.nested), arch.end - arch.start, arch.start

        taken: list[set[int]] = []
        levels = [0] * len(self.arches)
        for number in sorted(range(len(self.arches)), key=place):
            arch = self.arches[number]
            over = set(range(arch.start, arch.end))
            level = 0 if arch.lit or self.nested else 1
            while level < len(taken) and taken[level] & over:
                level += 1
            while level >= len(taken):
                taken.append(set())
            taken[level] |= over
            levels[number] = level
        return levels

    def placed(self, rect: QRectF, scale: float) -> Placed:
        """See `Part`."""
        return PlacedLattice(self, rect, scale)

    def rows(self) -> Iterator[Row]:
        """See `Part`."""
        for arch in self.arches:
            yield (arch.text, f"{arch.start + 1}–{arch.end}", arch.value)

    def size(self) -> tuple[int, int]:
        """See `Part`: an arch a row."""
        return len(self.arches), 1

    def said(self, row: int, column: int) -> str:
        """See `Part`."""
        arch = self.arches[row]
        return arch.tip or f"{arch.text} {arch.value}".rstrip()


class PlacedLattice(Placed):
    """A lattice in its place.

    Attributes:
        boxes: each arch's.
    """

    def __init__(self, part: Lattice, rect: QRectF, scale: float) -> None:
        self.part, self.rect, self.scale = part, rect, scale
        self._cell = min(_CELL * scale, rect.width() / max(1, len(part.characters)))
        levels = part.levels()
        count = max(levels, default=0) + 1
        top = rect.top() + heading_height(part.heading, scale)
        self._row = line_height(LABEL * scale) + 8 * scale
        level = min(part.level(scale), max(4.0, (rect.bottom() - self._row - top) / count))
        self._foot = top + count * level
        self.boxes = [
            QRectF(
                rect.left() + arch.start * self._cell + 1.5 * scale,
                self._foot - (at + 1) * level,
                (arch.end - arch.start) * self._cell - 3 * scale,
                level - _GAP * scale,
            )
            for arch, at in zip(part.arches, levels, strict=True)
        ]

    def sentence_at(self, point: QPointF) -> str:
        """See `Placed`."""
        found = (row for row, box in enumerate(self.boxes) if box.contains(point))
        return next((self.part.said(row, 0) for row in found), "")

    def rect_of(self, row: int, column: int) -> QRectF:
        """See `Placed`."""
        return self.boxes[row]

    def paint(self, painter: QPainter, theme: Theme, *, vector: bool) -> None:
        """See `Placed`."""
        scale = self.scale
        draw_heading(painter, self.part.heading, self.rect, scale, theme)
        runs: list[TextRun] = []
        for arch, box in zip(self.part.arches, self.boxes, strict=True):
            self._arch(painter, arch, box, theme, runs)
        self._characters(painter, theme, runs)
        draw_runs(painter, runs, theme)

    def _arch(self, painter: QPainter, arch: Arch, box: QRectF, theme: Theme, runs: list[TextRun]) -> None:
        scale = self.scale
        bend = min(9 * scale, box.width() / 2, box.height() / 2)
        path = QPainterPath(box.bottomLeft())
        path.lineTo(box.left(), box.top() + bend)
        path.quadTo(box.topLeft(), QPointF(box.left() + bend, box.top()))
        path.lineTo(box.right() - bend, box.top())
        path.quadTo(box.topRight(), QPointF(box.right(), box.top() + bend))
        path.lineTo(box.bottomRight())
        ground = theme.color("accent")
        painter.setBrush(ground if arch.lit else Qt.BrushStyle.NoBrush)
        line = Qt.PenStyle.DashLine if arch.quiet else Qt.PenStyle.SolidLine
        painter.setPen(QPen(theme.color("accent" if arch.lit else "faint"), 1.2 * scale, line))
        painter.drawPath(path)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        lines = [(arch.text, SMALL * scale, arch.lit), (arch.value, SMALLEST * scale, False)]
        role = readable_on(QColor(ground), theme) if arch.lit else "text"
        room = box.width() - 2 * scale
        shown = [one for one in lines if one[0] and width(one[0], one[1], one[2]) <= room]
        if not shown and arch.text:
            shown = [(elided(arch.text, SMALLEST * scale, room), SMALLEST * scale, False)]
        tall = sum(line_height(pixels) for _, pixels, _ in shown)
        if tall > box.height() + 4 * scale:
            shown, tall = shown[:1], line_height(shown[0][1])
        y = box.center().y() - tall / 2
        for text, pixels, bold in shown:
            y += line_height(pixels) / 2
            x = box.center().x() - width(text, pixels, bold) / 2
            runs.append(TextRun(text, x, middle(y, pixels), pixels, role, bold))
            y += line_height(pixels) / 2

    def _characters(self, painter: QPainter, theme: Theme, runs: list[TextRun]) -> None:
        pixels = LABEL * self.scale
        painter.setPen(QPen(theme.color("outline"), 1))
        end = self.rect.left() + len(self.part.characters) * self._cell
        painter.drawLine(QPointF(self.rect.left(), self._foot), QPointF(end, self._foot))
        for place, character in enumerate(self.part.characters):
            text = elided(character, pixels, self._cell)
            x = self.rect.left() + (place + 0.5) * self._cell - width(text, pixels) / 2
            runs.append(TextRun(text, x, middle(self._foot + self._row / 2, pixels), pixels, "text"))
