"""Lays the blocks of a stage of arithmetic below each other: lines, strips of numbers, tables with bars."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.arithmetic.spec import HEADING, Line, Row, Spot, StageSpec, Strip, Table, formula_parts
from viewer.figures.canvas.lettering import (
    LABEL,
    SMALL,
    SMALLEST,
    TextRun,
    elided,
    line_height,
    middle,
    width,
    wrapped,
)

BADGE = 17.0  # the circle with a stage's number
CHEVRON = 16.0  # room at the right of a heading, for a sign that it opens and closes
_GAP = 8.0
_LEAST_BAR = 36.0
_WIDEST_BAR = 220.0
_CELL = 3.5
_WIDEST_CELL = 28.0
_TALL, _LOW = 13.0, 8.0  # cells of a strip in one line, in several
_ROW = 18.0
_SIGN = 16.0
_BOLD = 0.88  # bold type is wider than what lines are measured in
_SIZES = {"text": SMALL, "note": SMALLEST, "result": LABEL, "good": SMALL, "warning": SMALL}


@dataclass(frozen=True)
class PlacedStrip:
    """A strip, placed: its numbers fill rows of so many columns, the last as far as they go."""

    area: QRectF
    columns: int
    rows: int
    strip: Strip
    spot: Spot

    def index_at(self, point: QPointF) -> int | None:
        """Which number is there."""
        if not self.area.contains(point):
            return None
        column = int((point.x() - self.area.left()) * self.columns / self.area.width())
        row = int((point.y() - self.area.top()) * self.rows / self.area.height())
        index = min(row, self.rows - 1) * self.columns + min(column, self.columns - 1)
        return index if index < len(self.strip.values) else None

    def rect_of(self, index: int) -> QRectF:
        """Where a number is."""
        wide, high = self.area.width() / self.columns, self.area.height() / self.rows
        row, column = divmod(index, self.columns)
        return QRectF(self.area.left() + column * wide, self.area.top() + row * high, wide, high)


@dataclass
class PlacedStage:
    """A stage, placed.

    Attributes:
        box: all of it.
        badge: where its number stands.
        bars: each with whether it is negative and whether it is the chosen row's.
        bands: grounds of chosen rows.
        signs: of lines that say what a check came to: the middle of each, and its tone.
        spots: what can be pointed at, but for the strips' numbers.
    """

    spec: StageSpec
    box: QRectF
    badge: QRectF
    runs: list[TextRun] = field(default_factory=list)
    strips: list[PlacedStrip] = field(default_factory=list)
    bars: list[tuple[QRectF, bool, bool]] = field(default_factory=list)
    bands: list[QRectF] = field(default_factory=list)
    signs: list[tuple[QPointF, str]] = field(default_factory=list)
    spots: list[tuple[QRectF, Spot]] = field(default_factory=list)


def place_stage(
    spec: StageSpec, left: float, top: float, room: float, scale: float, least: float
) -> PlacedStage:
    """Lay a stage out from a corner downwards; `least`: the least height of type."""
    badge = QRectF(left, top + 1.5 * scale, BADGE * scale, BADGE * scale)
    placed = PlacedStage(spec, QRectF(), badge)
    y = _place_heading(placed, left, top, room, scale)
    if not spec.folded:
        y = place_formula(placed.runs, spec.formula, left, y, room, SMALL * scale, least) + 3 * scale
        for index, block in enumerate(spec.blocks):
            if isinstance(block, Line):
                y = _place_line(placed, block, left, y, room, scale)
            elif isinstance(block, Strip):
                y = _place_strip(placed, block, index, left, y, room, scale)
            else:
                y = _place_table(placed, block, index, left, y, room, scale)
    placed.box = QRectF(left, top, room, y - top)
    return placed


def place_formula(
    runs: list[TextRun], formula: str, left: float, top: float, room: float, pixels: float, least: float
) -> float:
    """Set a formula with its lowered and raised parts, in as many lines as it needs; returns its foot."""
    line, x = line_height(pixels), left
    y = middle(top + line / 2, pixels)
    space = width(" ", pixels)
    for word in formula.split(" "):
        low = max(0.78 * pixels, min(pixels, least))
        parts = [(text, level, low if level else pixels) for text, level in formula_parts(word)]
        wide = sum(width(text, size) for text, _, size in parts)
        if x > left and x + wide > left + room:
            x, y = left, y + line
        for text, level, size in parts:
            runs.append(TextRun(text, x, y - 0.3 * pixels * level, size, "dim"))
            x += width(text, size)
        x += space
    return y + line - middle(line / 2, pixels)


def _place_heading(placed: PlacedStage, left: float, top: float, room: float, scale: float) -> float:
    spec, pixels, line = placed.spec, LABEL * scale, 20 * scale
    y = middle(top + line / 2, pixels)
    number = str(spec.number)
    small = SMALLEST * scale
    centre = placed.badge.center()
    placed.runs.append(
        TextRun(
            number,
            centre.x() - width(number, small, True) / 2,
            middle(centre.y(), small),
            small,
            "panel",
            True,
        )
    )
    x = left + (BADGE + 7) * scale
    right = left + room - CHEVRON * scale
    title = elided(spec.title, pixels, right - x, True)
    placed.runs.append(TextRun(title, x, y, pixels, "text", True))
    if spec.folded:
        x += width(title, pixels, True) + _GAP * scale
        text = elided(spec.result, SMALL * scale, max(0.0, right - x))
        placed.runs.append(TextRun(text, right - width(text, SMALL * scale), y, SMALL * scale, "dim"))
    placed.spots.append((QRectF(left, top, room, line), Spot(spec.stage, HEADING)))
    return top + line + 2 * scale


def _place_line(
    placed: PlacedStage, block: Line, left: float, top: float, room: float, scale: float
) -> float:
    pixels = _SIZES[block.tone] * scale
    line = line_height(pixels)
    indent = _SIGN * scale if block.tone in ("good", "warning") else 0.0
    if indent:
        placed.signs.append((QPointF(left + 6 * scale, top + line / 2), block.tone))
    role = "dim" if block.tone == "note" else "text"
    limit = (room - indent) * (_BOLD if block.tone == "result" else 1.0)
    for text in wrapped(block.text, pixels, limit):
        y = middle(top + line / 2, pixels)
        placed.runs.append(TextRun(text, left + indent, y, pixels, role, block.tone == "result"))
        top += line
    return top + 3 * scale


def _place_strip(
    placed: PlacedStage, block: Strip, index: int, left: float, top: float, room: float, scale: float
) -> float:
    pixels, count = SMALLEST * scale, len(block.values)
    line = line_height(pixels)
    y = middle(top + line / 2, pixels)
    span = f"±{block.level:.3g}"
    placed.runs.append(TextRun(span, left + room - width(span, pixels), y, pixels, "dim"))
    title = elided(block.title, pixels, room - width(span, pixels) - _GAP * scale)
    placed.runs.append(TextRun(title, left, y, pixels, "text"))
    rows = max(1, math.ceil(count * _CELL * scale / room))
    columns = math.ceil(count / rows)
    rows = math.ceil(count / columns)
    high = (_TALL if rows == 1 else _LOW) * scale * rows
    wide = min(room, columns * _WIDEST_CELL * scale)
    area = QRectF(left, top + line, wide, high)
    placed.strips.append(PlacedStrip(area, columns, rows, block, Spot(placed.spec.stage, index)))
    return area.bottom() + 5 * scale


def _place_table(
    placed: PlacedStage, block: Table, index: int, left: float, top: float, room: float, scale: float
) -> float:
    pixels, high, gap = SMALLEST * scale, _ROW * scale, _GAP * scale
    columns = range(len(block.headers) - 1)
    widths = [
        max(
            width(text, pixels, True)
            for text in (block.headers[c + 1], *(row.cells[c] for row in block.rows))
        )
        for c in columns
    ]
    pad = 4 * scale
    cells = sum(widths) + gap * len(widths)
    # Rows that lack their first numbers may write into that room.
    labels = [row.label for row in block.rows if row.cells and row.cells[0]]
    longest = max((width(text, pixels, True) for text in (*labels, block.headers[0])), default=0.0)
    label = max(12 * scale, min(longest, room - 2 * pad - cells - gap - _LEAST_BAR * scale))
    ends, x = [], left + pad + label
    for wide in widths:
        x += gap + wide
        ends.append(x)
    bars = QRectF(x + gap, 0, min(_WIDEST_BAR * scale, left + room - pad - x - gap), 8 * scale)
    y = middle(top + high / 2, pixels)
    placed.runs.append(TextRun(elided(block.headers[0], pixels, label), left + pad, y, pixels, "dim"))
    for end, text in zip(ends, block.headers[1:], strict=True):
        placed.runs.append(TextRun(text, end - width(text, pixels), y, pixels, "dim"))
    top += high
    for number, row in enumerate(block.rows):
        box = QRectF(left, top, room, high)
        first = next((c for c, text in enumerate(row.cells) if text), 0)
        limit = label if first == 0 else ends[first] - widths[first] - gap - left - pad
        _place_row(placed, row, box, limit, ends, pixels)
        _place_bar(placed, row, bars.translated(0, box.center().y() - 4 * scale), block.signed)
        placed.spots.append((box, Spot(placed.spec.stage, index, number)))
        top += high
    return top + 4 * scale


def _place_row(
    placed: PlacedStage, row: Row, box: QRectF, label: float, ends: list[float], pixels: float
) -> None:
    """A row's texts, and its ground if it is the chosen one."""
    if row.chosen:
        placed.bands.append(box)
    role = "accent" if row.chosen else "dim" if row.dim else "text"
    y, left = middle(box.center().y(), pixels), box.left() + 4 * pixels / SMALLEST
    text = elided(row.label, pixels, label, row.chosen)
    placed.runs.append(TextRun(text, left, y, pixels, role, row.chosen))
    for end, text in zip(ends, row.cells, strict=True):
        x = end - width(text, pixels, row.chosen)
        placed.runs.append(TextRun(text, x, y, pixels, role, row.chosen))


def _place_bar(placed: PlacedStage, row: Row, room: QRectF, signed: bool) -> None:
    """A row's bar: from the left, or from the middle to either side."""
    whole = room.width() / 2 if signed else room.width()
    long = max(-1.0, min(1.0, row.bar)) * whole
    start = room.center().x() if signed else room.left()
    bar = QRectF(min(start, start + long), room.top(), abs(long), room.height())
    placed.bars.append((bar, long < 0, row.chosen))
