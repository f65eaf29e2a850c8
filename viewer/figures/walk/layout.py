"""Layout: where the architecture map and the stage beside it go."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.canvas.frame import Words, place_words
from viewer.figures.canvas.lettering import LABEL, SMALL, TITLE, TextRun, line_height, middle, width, wrapped
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.figure import FigureSpec
from viewer.figures.walk.spec import BarsDetail, EmbeddingDetail, LensDetail, Stack, WalkSpec

_BLOCK, _TALLEST, _LOWEST, _GAP = 34.0, 44.0, 13.0, 5.0
_MAP, _BESIDE, _SHARE = 560.0, 760.0, 0.5
_LEFT, _RIGHT = 18.0, 16.0  # of a column: the open layer's name, and the residual connections


@dataclass(frozen=True)
class Column:
    """A stack, placed: `blocks` in the order of `Stack.blocks`, the first at the bottom."""

    stack: Stack
    head: QRectF
    blocks: tuple[QRectF, ...]
    frame: QRectF


@dataclass(frozen=True)
class WalkGeometry:
    """The map's columns and, beside or below it, the words and the picture of a stage.

    Attributes:
        least: the least height of a block's type.
    """

    spec: WalkSpec
    words: Words
    columns: tuple[Column, Column]
    runs: tuple[TextRun, ...]
    formula: QRectF
    detail: QRectF
    scale: float
    least: float = 0.0

    def block_at(self, point: QPointF) -> tuple[int, int] | None:
        """The (stack, block) at a point; stack 0 is the encoder."""
        for number, column in enumerate(self.columns):
            for index, block in enumerate(column.blocks):
                if block.contains(point):
                    return number, index
        return None

    def bar_at(self, point: QPointF) -> int | None:
        """The row of a detail's bars at a point."""
        if not isinstance(self.spec.detail, BarsDetail) or not self.detail.contains(point):
            return None
        rows = bar_rows(self.detail, self.spec.detail, self.scale)
        return next((index for index, row in enumerate(rows) if row.contains(point)), None)


def walk_geometry(figure: FigureSpec[WalkSpec], rect: QRectF, options: DrawOptions) -> WalkGeometry:
    """The map at the left and the stage at the right, or below each other where there is little width."""
    spec, scale = figure.body, options.font_scale
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    room = words.room
    gap = 22 * scale
    if _beside(room.width(), room.height(), scale):
        wide = min(_MAP * scale, _SHARE * room.width())
        across = QRectF(room.left(), room.top(), wide, room.height())
        beside = QRectF(across.right() + gap, room.top(), room.width() - wide - gap, room.height())
    else:
        high = min(0.55 * room.height(), _map_height(spec, scale))
        across = QRectF(room.left(), room.top(), room.width(), high)
        beside = QRectF(
            room.left(), across.bottom() + gap, room.width(), room.bottom() - across.bottom() - gap
        )
    half = (across.width() - gap) / 2
    unit = _unit(spec, across.height(), scale)
    columns = tuple(
        _column(
            stack,
            QRectF(across.left() + number * (half + gap), across.top(), half, across.height()),
            unit,
            scale,
        )
        for number, stack in enumerate(spec.stacks)
    )
    runs, formula, detail = _texts(spec, beside, scale)
    return WalkGeometry(
        spec, words, (columns[0], columns[1]), tuple(runs), formula, detail, scale, options.least_type
    )


def walk_height(figure: FigureSpec[WalkSpec], width_: float, options: DrawOptions) -> float:
    """A height that gives every block its room."""
    spec, scale = figure.body, options.font_scale
    tall = QRectF(0, 0, width_, 1e6)
    words = place_words(tall, spec.title, "", spec.badges, figure.caption, options)
    around = words.room.top() + tall.bottom() - words.room.bottom()
    high = _map_height(spec, scale)
    if width_ >= _BESIDE * scale:
        return around + max(high, _detail_height(spec, scale))
    return around + high + (22 * scale) + _detail_height(spec, scale)


def _beside(wide: float, high: float, scale: float) -> bool:
    return wide >= _BESIDE * scale or wide > 1.2 * high


def _detail_height(spec: WalkSpec, scale: float) -> float:
    if isinstance(spec.detail, EmbeddingDetail):
        return 600 * scale
    if isinstance(spec.detail, BarsDetail):
        return (210 + 26 * (len(spec.detail.rows) + 1)) * scale
    if isinstance(spec.detail, LensDetail):
        return (210 + 46 * (len(spec.detail.rows) + 1)) * scale
    return 480 * scale


def _most_blocks(spec: WalkSpec) -> int:
    return max(len(stack.blocks) for stack in spec.stacks)


def _head(scale: float) -> float:
    return line_height(LABEL * scale) + line_height(SMALL * scale) + 8 * scale


def _map_height(spec: WalkSpec, scale: float) -> float:
    return _head(scale) + _most_blocks(spec) * (_BLOCK + _GAP) * scale + 4 * scale


def _unit(spec: WalkSpec, high: float, scale: float) -> float:
    """Height of a block and the gap above it."""
    room = (high - _head(scale) - 4 * scale) / max(1, _most_blocks(spec))
    return min((_TALLEST + _GAP) * scale, max((_LOWEST + 2) * scale, room))


def _column(stack: Stack, area: QRectF, unit: float, scale: float) -> Column:
    """Blocks from the bottom up, right above the lowest edge that all of them leave."""
    gap = min(_GAP * scale, 0.16 * unit)
    top = area.top() + _head(scale)
    count = len(stack.blocks)
    bottom = min(area.bottom() - 2 * scale, top + unit * count) if count else top
    bottom = max(bottom, area.bottom() - 2 * scale)
    left, wide = area.left() + _LEFT * scale, area.width() - (_LEFT + _RIGHT) * scale
    blocks = tuple(
        QRectF(left, bottom - (index + 1) * unit + gap, wide, unit - gap) for index in range(count)
    )
    inner = [place for place, block in zip(blocks, stack.blocks, strict=True) if block.inner]
    frame = QRectF()
    for place in inner:
        frame = frame.united(place)
    if inner:
        frame.adjust(-_LEFT * scale, -gap / 2, _RIGHT * scale, gap / 2)
    first = blocks[-1].top() if blocks else top
    head = QRectF(left, first - _head(scale), wide, _head(scale))
    return Column(stack, head, blocks, frame)


def _texts(spec: WalkSpec, area: QRectF, scale: float) -> tuple[list[TextRun], QRectF, QRectF]:
    """Heading, formula and sentences from the top, source at the bottom, and what they leave."""
    runs: list[TextRun] = []
    y = area.top()

    def write(text: str, pixels: float, role: str, bold: bool = False) -> None:
        nonlocal y
        for line in wrapped(text, pixels, area.width() * (0.94 if bold else 1.0)):
            runs.append(
                TextRun(line, area.left(), middle(y + line_height(pixels) / 2, pixels), pixels, role, bold)
            )
            y += line_height(pixels)

    write(spec.heading, TITLE * scale, "text", True)
    y += 6 * scale
    formula = QRectF()
    if spec.formula:
        pixels = LABEL * scale
        lines = wrapped(spec.formula, pixels, area.width() - 20 * scale)
        wide = max(width(line, pixels) for line in lines)
        high = len(lines) * line_height(pixels)
        formula = QRectF(area.left(), y, min(area.width(), wide + 20 * scale), high + 10 * scale)
        for number, line in enumerate(lines):
            base = middle(y + 5 * scale + (number + 0.5) * line_height(pixels), pixels)
            runs.append(TextRun(line, area.left() + 10 * scale, base, pixels, "accent"))
        y = formula.bottom() + 8 * scale
    for sentence in spec.sentences:
        write(sentence, LABEL * scale, "text")
        y += 4 * scale
    pixels = SMALL * scale
    source = wrapped(spec.source, pixels, area.width())
    bottom = area.bottom() - len(source) * line_height(pixels)
    for number, line in enumerate(source):
        base = middle(bottom + (number + 0.5) * line_height(pixels), pixels)
        runs.append(TextRun(line, area.left(), base, pixels, "dim"))
    top = y + 8 * scale
    return runs, formula, QRectF(area.left(), top, area.width(), max(0.0, bottom - 8 * scale - top))


def bar_rows(area: QRectF, detail: BarsDetail, scale: float) -> list[QRectF]:
    """A row for each bar below the headers; rows that there is no room for are left out."""
    line = line_height(SMALL * scale)
    high = min(
        28 * scale, max(line + 2 * scale, (area.height() - line - 4 * scale) / max(1, len(detail.rows)))
    )
    top = area.top() + line + 4 * scale
    rows = [QRectF(area.left(), top + index * high, area.width(), high) for index in range(len(detail.rows))]
    return [row for row in rows if row.bottom() <= area.bottom() + 0.5]
