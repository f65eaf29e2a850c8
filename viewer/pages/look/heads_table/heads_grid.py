"""The heads of each kind as a grid, layers by heads, coloured by one metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from model.heads.head_metrics import General
from model.trace.trace import AttentionKind
from viewer.document.text.place_text import map_place
from viewer.figures.canvas.cell_colours import codes, palette
from viewer.figures.canvas.contrast import readable_on
from viewer.figures.canvas.frame import bar_width, draw_bar, place_bar
from viewer.figures.canvas.lettering import SMALL, SMALLEST, TextRun, draw_runs, line_height, middle, width
from viewer.figures.canvas.theme import Theme, theme
from viewer.figures.sheet.grid import Grid
from viewer.pages.accessible.cells import CellHost, Cells
from viewer.pages.look.heads_table.heads_model import (
    METRIC_NAMES,
    NUMBERS,
    HeadRow,
    names_of,
    value_tip,
)
from viewer.pages.look.heads_table.heads_state import HeadKey, HeadsState
from viewer.pages.look.heads_table.heads_words import kind_short, metric_name, number
from viewer.pages.widgets.appearance import Appearance, draw_ring
from viewer.pages.widgets.plain_tip import show_tip
from viewer.pages.widgets.worded import Worded

_GAP = 24.0
_WIDEST, _LOWEST = 112.0, 14.0
_NARROW = 30.0  # a cell that is narrower may be so high, and wider ones no higher than square
_ROOMY = 64.0  # a cell so wide has larger figures
_MOVES = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


@dataclass(frozen=True)
class Block:
    """The grid of one kind.

    Attributes:
        first: the cell of layer 0, head 0.
    """

    kind: AttentionKind
    layers: int
    heads: int
    first: QRectF

    def rect_of(self, layer: int, head: int) -> QRectF:
        """One cell."""
        return self.first.translated(head * self.first.width(), layer * self.first.height())

    @property
    def rect(self) -> QRectF:
        """All cells."""
        corner = self.rect_of(self.layers - 1, self.heads - 1).bottomRight()
        return QRectF(self.first.topLeft(), corner)


class HeadsGrid(Worded, CellHost, QWidget):
    """Click a head to see it, or go there by the arrow keys.

    Attributes:
        chosen: the metric, a name of `names_of` the heads.
    """

    def __init__(self, state: HeadsState, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._appearance = appearance
        self._rows: tuple[HeadRow, ...] = ()
        self._by_place: dict[HeadKey, HeadRow] = {}
        self._hover: HeadKey | None = None
        self.chosen = METRIC_NAMES[0]
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        state.moved.connect(self.update)
        state.moved.connect(self.follow_cells)
        appearance.changed.connect(self._restyle)
        self.retranslate()

    def refresh(self, rows: tuple[HeadRow, ...], metric: str) -> None:
        """Take the heads and the metric."""
        if rows is not self._rows:
            self._rows = rows
            self._by_place = {(row.kind, row.layer, row.head): row for row in rows}
        self.chosen = metric if metric in names_of(rows) else NUMBERS[0]
        self._restyle()

    @property
    def _column(self) -> int:
        """The place of the chosen metric among a head's values."""
        return names_of(self._rows).index(self.chosen)

    @property
    def levels(self) -> tuple[float, float]:
        """The scale of all kinds: 0 to 1 for shares, else to the largest value; of changes about 0."""
        place = self._column
        values = [value for row in self._rows if (value := row.values[place]) is not None]
        most = max(map(abs, values), default=0.0) or 1.0
        added = self.chosen not in NUMBERS
        if self.chosen == "importance" or (added and any(value < 0 for value in values)):
            return -most, most
        if self.chosen == General.COPYING:
            return -1.0, 1.0
        if added:
            return 0.0, most
        return 0.0, most if self.chosen in ("entropy", "distance") else 1.0

    def blocks(self) -> list[Block]:
        """Where each kind is: side by side, or below each other where that gives the cells more room."""
        sizes = self._sizes()
        if not sizes:
            return []
        room = self.width() - 12 - self._bar_width(self._appearance.px() / 14.0)
        arranged = [self._arranged(sizes, abreast, room) for abreast in range(len(sizes), 0, -1)]
        whole = [blocks for blocks in arranged if self._fits(blocks)] or arranged[:1]
        return max(whole, key=_shorter_side)  # of equals the first, with more side by side

    def _arranged(
        self, sizes: Sequence[tuple[AttentionKind, int, int]], abreast: int, room: float
    ) -> list[Block]:
        """So many kinds side by side in a width, the others below."""
        scale = self._appearance.px() / 14.0
        rows = [sizes[first : first + abreast] for first in range(0, len(sizes), abreast)]
        left = max(width(str(layers), SMALL * scale, True) + 8 * scale for _, layers, _ in sizes)
        taken = left * abreast + _GAP * scale * (abreast - 1)
        columns = max(sum(heads for _, _, heads in row) for row in rows)
        wide = float(int(max(6.0, min(_WIDEST * scale, (room - taken) / columns))))
        top = 6 + 2.2 * line_height(SMALL * scale)
        layers = sum(max(layers for _, layers, _ in row) for row in rows)
        high = (self.height() - len(rows) * top - 6) / layers
        high = float(int(max(_LOWEST * scale, min(max(_NARROW * scale, wide), high))))
        found, y = [], top
        for row in rows:
            x = 6.0
            for kind, its_layers, heads in row:
                first = QRectF(round(x + left), round(y), wide, high)
                found.append(Block(kind, its_layers, heads, first))
                x = found[-1].rect.right() + _GAP * scale
            y += max(its_layers for _, its_layers, _ in row) * high + top
        return found

    def _fits(self, blocks: Sequence[Block]) -> bool:
        return all(block.rect.bottom() <= self.height() for block in blocks)

    def rect_of(self, place: HeadKey) -> QRectF | None:
        """Where a head is, None where it is not shown."""
        kind, layer, head = place
        block = next((block for block in self.blocks() if block.kind is kind), None)
        inside = block is not None and layer < block.layers and head < block.heads
        return block.rect_of(layer, head) if block is not None and inside else None

    def place_at(self, x: float, y: float) -> HeadKey | None:
        """The head at a point of the widget."""
        for block in self.blocks():
            layer = int((y - block.first.top()) // block.first.height())
            head = int((x - block.first.left()) // block.first.width())
            if 0 <= layer < block.layers and 0 <= head < block.heads:
                return block.kind, layer, head
        return None

    def as_text(self) -> str:
        """The numbers, a line a layer under the names of metric and kind, apart by tabs."""
        lines, column = [], self._column
        for kind, layers, heads in self._sizes():
            lines.append(f"{metric_name(self.chosen)}, {kind_short(kind)}")
            for layer in range(layers):
                values = [self._by_place[kind, layer, head].values[column] for head in range(heads)]
                lines.append("\t".join("" if value is None else f"{value:.6g}" for value in values))
        return "\n".join(lines)

    def cells(self) -> Cells | None:
        """Layers downwards; the heads of each kind across, after those of the kind before."""
        sizes, by_place = self._sizes(), self._by_place
        columns = [(kind, head) for kind, _, heads in sizes for head in range(heads)]
        layers = max((layers for _, layers, _ in sizes), default=0)

        def head_of(row: int, column: int) -> HeadKey | None:
            place = (columns[column][0], row, columns[column][1])
            return place if place in by_place else None

        def name(row: int, column: int) -> str:
            place = head_of(row, column)
            return "" if place is None else " ".join(self.tip(place).split("\n"))

        def rect(row: int, column: int) -> QRectF | None:
            kind, head = columns[column]
            return self.rect_of((kind, row, head))

        def at(point: QPointF) -> tuple[int, int] | None:
            place = self.place_at(point.x(), point.y())
            return None if place is None else (place[1], columns.index((place[0], place[2])))

        def choose(row: int, column: int) -> None:
            place = head_of(row, column)
            if place is not None:
                self._state.go_to(place)

        chosen = self._state.place
        inside = chosen is not None and (chosen[0], chosen[2]) in columns
        current = (chosen[1], columns.index((chosen[0], chosen[2]))) if chosen and inside else None
        return Cells(
            layers,
            len(columns),
            name,
            column_name=lambda column: f"{kind_short(columns[column][0])} {columns[column][1] + 1}",
            current=current,
            rect=rect,
            at=at,
            choose=choose,
        )

    def as_grids(self) -> tuple[Grid, ...]:
        """The same as parts of a figure, a grid a kind."""
        column, found = self._column, []
        for kind, layers, heads in self._sizes():
            values = np.full((layers, heads), np.nan, np.float32)
            for layer, head in np.ndindex(layers, heads):
                value = self._by_place[kind, layer, head].values[column]
                values[layer, head] = np.nan if value is None else value
            down, across = ([str(n + 1) for n in range(count)] for count in (layers, heads))
            title = QCoreApplication.translate("Figure", "head")
            found.append(Grid(kind_short(kind), values, down, across, self.levels, column_title=title))
        return tuple(found)

    def tip(self, place: HeadKey) -> str:
        """What is said of the head under the pointer."""
        row = self._by_place[place]
        return value_tip(row, map_place(row.kind, row.layer, row.head, row.heads), self._column)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.setAccessibleName(self.tr("Heads as a grid"))
        self.update()

    # Qt's own events.

    def sizeHint(self) -> QSize:
        """Some heads."""
        return QSize(600, 160)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the grids, the colour bar, and the frame of the head in view."""
        painter = QPainter(self)
        colours = theme(self._appearance.palette.name)
        painter.fillRect(self.rect(), colours.color("panel"))
        scale = self._appearance.px() / 14.0
        blocks = self.blocks()
        for block in blocks:
            self._paint_names(painter, block, colours, scale)
            self._paint_cells(painter, block, colours, scale)
        if blocks:
            high = max(block.rect.height() for block in blocks)
            right = max(block.rect.right() for block in blocks)
            area = QRectF(right, blocks[0].first.top(), self._bar_width(scale), high)
            bar = place_bar(area, self.levels, sqrt_scale=False, scale=scale)
            draw_bar(painter, bar, palette(colours, self.levels), colours, vector=False)
        self._paint_frames(painter, blocks, colours)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say which head is under the pointer, and its number."""
        place = self.place_at(event.position().x(), event.position().y())
        if place == self._hover:
            return
        self._hover = place
        self.setCursor(Qt.CursorShape.ArrowCursor if place is None else Qt.CursorShape.PointingHandCursor)
        if place is None:
            QToolTip.hideText()
        else:
            show_tip(event.globalPosition().toPoint(), self.tip(place), self)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self._hover = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to a head."""
        place = self.place_at(event.position().x(), event.position().y())
        if place is not None and event.button() == Qt.MouseButton.LeftButton:
            self._state.go_to(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows go to the head beside, above or below, from one kind into the next; Ctrl+C copies."""
        move = _MOVES.get(Qt.Key(event.key()))
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.as_text())
        elif move is None or not plain:
            super().keyPressEvent(event)
        else:
            self._go(*move)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out anew."""
        super().resizeEvent(event)
        self._restyle()

    # Parts.

    def _sizes(self) -> list[tuple[AttentionKind, int, int]]:
        """Kinds in view with their layers and heads."""
        found: dict[AttentionKind, tuple[int, int]] = {}
        for row in self._rows:
            if self._state.kind in (None, row.kind):
                found[row.kind] = (row.layer + 1, row.heads)
        return [(kind, *size) for kind, size in found.items()]

    def _bar_width(self, scale: float) -> float:
        return bar_width(self.levels, sqrt_scale=False, scale=scale)

    def _restyle(self) -> None:
        scale = self._appearance.px() / 14.0
        most = max((layers for _, layers, _ in self._sizes()), default=1)
        self.setMinimumHeight(int(12 + 2.2 * line_height(SMALL * scale) + most * _LOWEST * scale))
        self.update()
        self.follow_cells()

    def _go(self, down: int, right: int) -> None:
        place, sizes = self._state.place, self._sizes()
        kinds = [kind for kind, _, _ in sizes]
        if not sizes:
            return
        if place is None or place[0] not in kinds:
            self._state.go_to((kinds[0], 0, 0))
            return
        at = kinds.index(place[0])
        layer, head = place[1] + down, place[2] + right
        if head >= sizes[at][2] and at + 1 < len(kinds):
            at, head = at + 1, 0
        elif head < 0 and at > 0:
            at, head = at - 1, sizes[at - 1][2] - 1
        elif not 0 <= layer < sizes[at][1]:
            other = self._beyond(at, down)
            if other != at:
                at, layer = other, 0 if down > 0 else sizes[other][1] - 1
        kind, layers, heads = sizes[at]
        self._state.go_to((kind, min(max(0, layer), layers - 1), min(max(0, head), heads - 1)))

    def _beyond(self, at: int, down: int) -> int:
        """The kind that stands above one, or below it; itself where none does."""
        blocks = self.blocks()
        left = blocks[at].first.left()
        lined_up = [each for each, block in enumerate(blocks) if block.first.left() == left]
        found = lined_up.index(at) + down
        return lined_up[found] if 0 <= found < len(lined_up) else at

    def _paint_names(self, painter: QPainter, block: Block, colours: Theme, scale: float) -> None:
        pixels, line = SMALL * scale, line_height(SMALL * scale)
        chosen = self._state.place
        runs = [
            TextRun(
                kind_short(block.kind),
                block.first.left(),
                middle(block.first.top() - 1.65 * line, pixels),
                pixels,
                "text",
                bold=True,
            )
        ]
        for head in range(block.heads):
            strong = chosen is not None and chosen[0] is block.kind and chosen[2] == head
            x, y = block.rect_of(0, head).center().x(), block.first.top() - 0.55 * line
            runs.append(_centred(head, x, y, pixels, strong))
        for layer in range(block.layers):
            strong = chosen is not None and chosen[:2] == (block.kind, layer)
            text = str(layer + 1)
            x = block.first.left() - 6 * scale - width(text, pixels, strong) / 2
            runs.append(_centred(layer, x, block.rect_of(layer, 0).center().y(), pixels, strong))
        draw_runs(painter, runs, colours)

    def _paint_cells(self, painter: QPainter, block: Block, colours: Theme, scale: float) -> None:
        column, levels = self._column, self.levels
        table = palette(colours, levels)
        pixels = (SMALLEST if block.first.width() < _ROOMY * scale else SMALL) * scale
        texts = self._texts(block, column, pixels)
        runs: list[TextRun] = []
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for layer in range(block.layers):
            for head in range(block.heads):
                area = block.rect_of(layer, head)
                value = self._by_place[block.kind, layer, head].values[column]
                ground = colours.color("masked")
                if value is not None:
                    code = codes(np.array([value], np.float32), None, levels, sqrt_scale=False)[0]
                    ground = QColor.fromRgb(int(table[code]))
                painter.fillRect(area, ground)
                text = texts[layer * block.heads + head]
                x = area.center().x() - width(text, pixels) / 2
                y = middle(area.center().y(), pixels)
                role = "dim" if value is None else readable_on(ground, colours)
                runs.append(TextRun(text, x, y, pixels, role))
        painter.setPen(QPen(colours.color("grid"), 1))
        for layer, head in np.ndindex(block.layers, block.heads):
            painter.drawRect(block.rect_of(layer, head))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        draw_runs(painter, runs, colours)

    def _texts(self, block: Block, column: int, pixels: float) -> Sequence[str]:
        """All numbers with as many decimals as every cell has room for, or none."""
        values = [
            self._by_place[block.kind, layer, head].values[column]
            for layer, head in np.ndindex(block.layers, block.heads)
        ]
        for decimals in (3, 2, 1):
            texts = [number(value, decimals) for value in values]
            if all(width(text, pixels) <= block.first.width() - 4 for text in texts):
                return texts
        return [""] * len(values)

    def _paint_frames(self, painter: QPainter, blocks: Sequence[Block], colours: Theme) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for place, thick in ((self._hover, 1), (self._state.place, 2)):
            block = next((b for b in blocks if place is not None and b.kind is place[0]), None)
            if place is not None and block is not None and place[1] < block.layers and place[2] < block.heads:
                # A light line around it, since the cell may be as dark as the frame.
                for colour, extra in (("panel", 2), ("accent", 0)):
                    painter.setPen(QPen(colours.color(colour), thick + extra))
                    painter.drawRect(block.rect_of(*place[1:]))
        if self.hasFocus():
            draw_ring(painter, self, self._appearance.color("accent"))


def _shorter_side(blocks: Sequence[Block]) -> float:
    """Of the cells, which are all alike."""
    return min(blocks[0].first.width(), blocks[0].first.height())


def _centred(index: int, x: float, y: float, pixels: float, strong: bool) -> TextRun:
    text = str(index + 1)
    role = "accent" if strong else "dim"
    return TextRun(text, x - width(text, pixels, strong) / 2, middle(y, pixels), pixels, role, strong)
