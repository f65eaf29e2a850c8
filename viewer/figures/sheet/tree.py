"""Tree: nodes in columns with what stands on their edges; a leaf a row, a parent between its children.

No two nodes overlap: leaves have rows of their own, and all that lies behind a node lies between its first
and its last leaf.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from viewer.figures.canvas.cell_colours import codes, palette
from viewer.figures.canvas.contrast import readable_on
from viewer.figures.canvas.lettering import SMALL, TextRun, draw_runs, elided, middle, width
from viewer.figures.canvas.theme import Theme
from viewer.figures.sheet.part import Placed, Row, draw_heading, heading_height

Look = Literal["lit", "plain", "faint"]
_ROW = 21.0
_TALLEST = 44.0
_LARGER = 1.3  # of its usual size the type is at most, where there is much room
_PAD = 6.0
_FAN = 20.0  # between a column and the words on the edges of the next
_WIDEST_FAN = 200.0
_GAP = 4.0
_PENS: dict[Look, tuple[str, float]] = {
    "faint": ("hatch", 0.9),
    "plain": ("dim", 1.2),
    "lit": ("accent", 2.4),
}


@dataclass(frozen=True)
class TreeNode:
    """A node.

    Attributes:
        parent: its place among the nodes, where parents stand before their children; -1 of the root.
        edge: what stands on the line to it.
        note: behind it, where it is a leaf.
        value: its number for the table, None where there is none; `tip` all there is to say.
        look: how much it stands out.
        level: ground from 0 (none) to 1.
    """

    text: str
    parent: int = -1
    edge: str = ""
    note: str = ""
    value: float | None = None
    tip: str = ""
    look: Look = "plain"
    level: float = 0.0


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree; see `Part`."""

    grows: ClassVar[bool] = True

    heading: str
    nodes: tuple[TreeNode, ...]
    share: float = 1.0

    @cached_property
    def columns(self) -> list[int]:
        """The column of each node: how far it is from its root."""
        found: list[int] = []
        for node in self.nodes:
            found.append(0 if node.parent < 0 else found[node.parent] + 1)
        return found

    @cached_property
    def places(self) -> list[float]:
        """The row of each node, from 0: of a leaf its own, of another the middle of its children's."""
        children: list[list[int]] = [[] for _ in self.nodes]
        roots: list[int] = []
        for index, node in enumerate(self.nodes):
            (roots if node.parent < 0 else children[node.parent]).append(index)
        order, waiting = [], roots[::-1]
        while waiting:
            index = waiting.pop()
            order.append(index)
            waiting += children[index][::-1]
        rows, leaves = [0.0] * len(self.nodes), 0
        for index in order:
            if not children[index]:
                rows[index] = float(leaves)
                leaves += 1
        for index in reversed(order):
            if children[index]:
                rows[index] = (rows[children[index][0]] + rows[children[index][-1]]) / 2
        return rows

    @property
    def leaves(self) -> int:
        """How many rows there are."""
        return round(max(self.places, default=-1.0)) + 1

    def height(self, width: float, scale: float) -> float:
        """See `Part`."""
        return heading_height(self.heading, scale) + _ROW * scale * max(1, self.leaves)

    def placed(self, rect: QRectF, scale: float) -> Placed:
        """See `Part`."""
        return PlacedTree(self, rect, scale)

    def rows(self) -> Iterator[Row]:
        """See `Part`; a node is named by the texts on the way to it."""
        paths: list[str] = []
        for node in self.nodes:
            paths.append(node.text if node.parent < 0 else f"{paths[node.parent]} {node.text}")
            yield (paths[-1], node.edge, "" if node.value is None else node.value)

    def size(self) -> tuple[int, int]:
        """See `Part`: a node a row."""
        return len(self.nodes), 1

    def said(self, row: int, column: int) -> str:
        """See `Part`."""
        node = self.nodes[row]
        return node.tip or " ".join(filter(None, (node.edge, node.text, node.note)))


class PlacedTree(Placed):
    """A tree in its place.

    Attributes:
        chips: each node's box.
        edges: the box of what stands on the line to each; as wide as its column's widest.
        notes: where each note begins, and how wide it may be.
    """

    def __init__(self, part: Tree, rect: QRectF, scale: float) -> None:
        self.part, self.rect, self.scale = part, rect, scale
        top = rect.top() + heading_height(part.heading, scale)
        rows = max(1, part.leaves)
        self._row = min(_TALLEST * scale, max(1.0, (rect.bottom() - top) / rows))
        self.pixels = min(_LARGER * SMALL * scale, 0.45 * self._row)
        if self.pixels < SMALL * scale or self._fan() < 2 * _FAN * scale:
            self.pixels = min(SMALL * scale, 0.72 * self._row)
        tall = min(self._row - 1, 1.7 * self.pixels)
        lefts, chips, labels = self._across()
        self.chips: list[QRectF] = []
        self.edges: list[QRectF] = []
        self.notes: list[QRectF] = []
        self._ends = [left + label + chip for left, label, chip in zip(lefts, labels, chips, strict=True)]
        for node, column, place in zip(part.nodes, part.columns, part.places, strict=True):
            y = top + (place + 0.5) * self._row - tall / 2
            wide = min(chips[column], width(node.text, self.pixels, True) + 2 * _PAD * scale)
            left = lefts[column] + labels[column]
            self.edges.append(QRectF(lefts[column], y, max(0.0, labels[column] - _GAP * scale), tall))
            self.chips.append(QRectF(left, y, wide, tall))
            after = left + wide + _GAP * scale
            self.notes.append(QRectF(after, y, max(0.0, rect.right() - after), tall))

    def _wanted(self) -> tuple[list[float], list[float], float]:
        """Of each column how wide its nodes and the words on its edges would be; then the room for them."""
        part, scale = self.part, self.scale
        count = max(part.columns, default=0) + 1
        chips, labels, notes = [0.0] * count, [0.0] * count, 0.0
        for node, column in zip(part.nodes, part.columns, strict=True):
            chips[column] = max(chips[column], width(node.text, self.pixels, True) + 2 * _PAD * scale)
            if node.edge:
                labels[column] = max(labels[column], width(node.edge, self.pixels) + 2 * _GAP * scale)
            if node.note and column == count - 1:
                notes = max(notes, width(node.note, self.pixels) + _GAP * scale)
        return chips, labels, self.rect.width() - notes - sum(labels)

    def _fan(self) -> float:
        """What is left between two columns."""
        chips, _, room = self._wanted()
        return (room - sum(chips)) / max(1, len(chips) - 1)

    def _across(self) -> tuple[list[float], list[float], list[float]]:
        """Of each column: where it begins, how wide its nodes may be, how wide the words on its edges."""
        scale = self.scale
        chips, labels, room = self._wanted()
        fan = self._fan()
        if fan < _FAN * scale:  # too narrow: the nodes give way
            factor = max(0.1, (room - _FAN * scale * (len(chips) - 1)) / max(1.0, sum(chips)))
            chips = [chip * min(1.0, factor) for chip in chips]
            fan = max(2.0, (room - sum(chips)) / max(1, len(chips) - 1))
        fan = min(fan, _WIDEST_FAN * scale)
        lefts, x = [], self.rect.left()
        for chip, label in zip(chips, labels, strict=True):
            lefts.append(x)
            x += label + chip + fan
        return lefts, chips, labels

    def sentence_at(self, point: QPointF) -> str:
        """See `Placed`."""
        for row, (chip, edge) in enumerate(zip(self.chips, self.edges, strict=True)):
            if chip.contains(point) or edge.contains(point):
                return self.part.said(row, 0)
        return ""

    def rect_of(self, row: int, column: int) -> QRectF:
        """See `Placed`."""
        return self.chips[row]

    def paint(self, painter: QPainter, theme: Theme, *, vector: bool) -> None:
        """See `Placed`."""
        draw_heading(painter, self.part.heading, self.rect, self.scale, theme)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for look, (colour, thick) in _PENS.items():
            path = QPainterPath()
            for index, node in enumerate(self.part.nodes):
                if node.look == look and node.parent >= 0:
                    self._line(path, node.parent, index)
            painter.setPen(QPen(theme.color(colour), thick * self.scale))
            painter.drawPath(path)
        table = palette(theme, (0.0, 1.0))
        runs: list[TextRun] = []
        for index, node in enumerate(self.part.nodes):
            runs += self._node(painter, index, node, table, theme)
        draw_runs(painter, runs, theme)

    def _line(self, path: QPainterPath, parent: int, child: int) -> None:
        """From behind the parent, on in its own row to the end of its column, then over to the child."""
        begin, end = self.chips[parent], self.chips[child]
        own, left = self._ends[self.part.columns[parent]], self.edges[child].left()
        y, aim, half = begin.center().y(), end.center().y(), (own + left) / 2
        path.moveTo(begin.right(), y)
        path.lineTo(own, y)
        path.cubicTo(QPointF(half, y), QPointF(half, aim), QPointF(left, aim))
        said = self.part.nodes[child].edge
        taken = width(said, self.pixels) + 2 * _GAP * self.scale if said else 0.0
        path.lineTo(max(left, end.left() - taken), aim)

    def _node(
        self, painter: QPainter, index: int, node: TreeNode, table: np.ndarray, theme: Theme
    ) -> list[TextRun]:
        chip, edge, note = self.chips[index], self.edges[index], self.notes[index]
        pixels, lit = self.pixels, node.look == "lit"
        role = "faint" if node.look == "faint" else "text"
        code = codes(np.array([[node.level]], np.float32), None, (0.0, 1.0), sqrt_scale=False)
        ground = QColor.fromRgb(int(table[code[0, 0]]))
        painter.setBrush(ground if node.level else theme.color("panel"))
        painter.setPen(QPen(theme.color("accent" if lit else "outline"), 1.6 if lit else 1.0))
        painter.drawRoundedRect(chip, 4 * self.scale, 4 * self.scale)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        text = elided(node.text, pixels, chip.width() - 2, lit)
        x = chip.center().x() - width(text, pixels, lit) / 2
        inside = readable_on(ground, theme) if node.level else role
        y = middle(chip.center().y(), pixels)
        runs = [TextRun(text, x, y, pixels, inside, lit)]
        if node.edge:
            said = elided(node.edge, pixels, edge.width())
            left = edge.right() - width(said, pixels)
            runs.append(
                TextRun(said, left, y, pixels, "accent" if lit else "faint" if role == "faint" else "dim")
            )
        if node.note:
            runs.append(TextRun(elided(node.note, pixels, note.width()), note.left(), y, pixels, role))
        return runs
