"""Row labels left of a map: what is read, or "reads → predicts" with the arrows below each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.canvas.axis_labels import Marks, PlacedLabel, chosen, stride_of, type_size, widest
from viewer.figures.canvas.lettering import LEAST_TYPE, TextRun, elided, middle, width

_TIGHT = 1.2
TIGHTEST = _TIGHT
"""How far apart rows are that all have labels, in heights of their type."""
ARROW = "→"


@dataclass(frozen=True)
class RowStyle:
    """How row labels are drawn.

    Attributes:
        stride: every how many rows there is one.
        reads, predicts: width of both columns of text; `predicts` is 0 on an encoder map.
        arrow: width of the arrow between them with its margins.
    """

    pixels: float
    stride: int
    reads: float
    predicts: float
    arrow: float

    @property
    def extent(self) -> float:
        """Width that all labels take."""
        return self.reads + self.arrow + self.predicts

    def at(self, cell: float) -> RowStyle:
        """The same for rows of another height, fewer where they would touch."""
        return replace(self, stride=stride_of(cell, self.pixels, tight=_TIGHT))


def row_style(
    labels: Sequence[AxisLabel],
    window: tuple[int, int],
    cell: float,
    most: float,
    scale: float,
    least: float = LEAST_TYPE,
    largest: float = math.inf,
) -> RowStyle:
    """The style for rows `window` (first, last exclusive), each `cell` high, labels `most` wide.

    Args:
        least, largest: the smallest and the largest type, in pixels.
    """
    pixels = min(type_size(cell, scale, tight=_TIGHT, least=least), largest)
    stride = stride_of(cell, pixels, tight=_TIGHT)
    first, last = window
    drawn = range(-(-first // stride) * stride, last, stride)
    reads, predicts = widest(labels, drawn, pixels), widest(labels, drawn, pixels, second=True)
    if not predicts:
        return RowStyle(pixels, stride, min(reads, most, 220 * scale), 0.0, 0.0)
    arrow = width(ARROW, pixels) + 0.7 * pixels
    room = min((most - arrow) / 2, 160 * scale)
    # A side that needs less than its half leaves the rest to the other.
    spare_reads, spare_predicts = max(0.0, room - reads), max(0.0, room - predicts)
    return RowStyle(
        pixels, stride, min(reads, room + spare_predicts), min(predicts, room + spare_reads), arrow
    )


def place_rows(
    labels: Sequence[AxisLabel],
    window: tuple[int, int],
    area: QRectF,
    edge: float,
    style: RowStyle,
    marks: Marks,
    left: float,
) -> tuple[PlacedLabel, ...]:
    """Labels of the rows `window` (first, last exclusive), which fill the map's `area`.

    Args:
        edge: x where labels end, a little left of the map.
        left: a strong label, which is not elided to the style's room, begins right of this x.
    """
    first, last = window
    cell = area.height() / max(1, last - first)
    placed = []
    for index in chosen(first, last, style.stride, marks.strong):
        strong = index in marks.strong
        runs = _runs(labels[index], index, edge, style, marks, (edge - left) if strong else 0.0)
        begin = min(run.x for run in runs)
        box = QRectF(begin - 2, -0.58 * style.pixels, edge - begin + 4, 1.16 * style.pixels)
        centre = area.top() + (index - first + 0.5) * cell
        placed.append(PlacedLabel(index, runs, QPointF(0.0, centre), 0.0, box, strong))
    return tuple(placed)


def _runs(
    label: AxisLabel, index: int, edge: float, style: RowStyle, marks: Marks, whole: float
) -> tuple[TextRun, ...]:
    """The texts of a row; `whole`, if not 0, is the width that it may take beyond its columns."""
    pixels, y = style.pixels, middle(0.0, style.pixels)
    bold = index in marks.strong and not marks.is_later(index)
    if not style.arrow:
        text = elided(label.text, pixels, max(style.reads, whole), bold)
        role = marks.role(index, quiet=label.dim)
        return (TextRun(text, edge - width(text, pixels, bold), y, pixels, role, bold),)
    second = "" if marks.is_later(index) else label.second
    second = elided(second, pixels, max(style.predicts, 0.6 * (whole - style.arrow)), bold)
    predicts = max(style.predicts, width(second, pixels, bold))
    arrow = edge - predicts - style.arrow
    quiet = "faint" if marks.is_later(index) else "dim"
    runs = [TextRun(ARROW, arrow + 0.35 * pixels, y, pixels, quiet)]
    if not marks.is_unknown(index):
        text = elided(label.text, pixels, max(style.reads, whole - style.arrow - predicts))
        role = "faint" if label.dim or marks.is_later(index) else "dim"
        runs.append(TextRun(text, arrow - width(text, pixels), y, pixels, role))
    if second:
        role = marks.role(index, quiet=label.predicted is not None and label.predicted.dim)
        runs.append(TextRun(second, edge - predicts, y, pixels, role, bold))
    return tuple(runs)
