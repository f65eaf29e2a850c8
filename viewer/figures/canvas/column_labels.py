"""Column labels above a map: horizontal if they fit, else slanted, smaller, upright, and at last fewer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.canvas.axis_labels import Marks, PlacedLabel, chosen, stride_of, type_size, widest
from viewer.figures.canvas.lettering import LABEL, LEAST_TYPE, SMALL, TextRun, elided, line_height, width

_SLANT = math.sqrt(0.5)
_LEANING, _UPRIGHT = -45.0, -90.0
_TIGHT, _TIGHT_UPRIGHT = 1.1, 1.0
TIGHTEST = _TIGHT_UPRIGHT
"""How far apart columns are that all have labels, in heights of their type."""
_LIFT = 5.0
_FLAT = 70.0


@dataclass(frozen=True)
class ColumnStyle:
    """How column labels are drawn.

    Attributes:
        stride: every how many columns there is one.
        angle: 0, or how far they are turned to the left: -45 or -90 degrees.
        room: length of each; longer ones are elided.
        extent: height that all of them take.
    """

    pixels: float
    stride: int
    angle: float
    room: float
    extent: float

    def at(self, cell: float) -> ColumnStyle:
        """The same for columns of another width, shorter or fewer where they would touch."""
        if not self.angle:
            return replace(self, room=min(self.room, self.stride * cell - 4))
        leaning = self.angle == _LEANING
        apart, tight = (cell * _SLANT, _TIGHT) if leaning else (cell, _TIGHT_UPRIGHT)
        return replace(self, stride=stride_of(apart, self.pixels, tight=tight))

    @property
    def along(self) -> float:
        """How much of a turned label's length is height."""
        return _SLANT if self.angle == _LEANING else 1.0


def column_style(
    labels: Sequence[AxisLabel],
    window: tuple[int, int],
    cell: float,
    most: float,
    scale: float,
    least: float = LEAST_TYPE,
) -> ColumnStyle:
    """The style for columns `window` (first, last exclusive), each `cell` wide, labels `most` high.

    Args:
        least: the smallest type, in pixels.
    """
    pixels = LABEL * scale
    gap = 8 * scale
    if cell > 1.5 * pixels:
        longest = _longest(labels, window, 1, pixels)
        if longest + gap <= cell:
            return ColumnStyle(pixels, 1, 0.0, cell - gap, line_height(pixels) + _LIFT)
    leaning = cell * _SLANT >= _TIGHT * least or cell < _TIGHT_UPRIGHT * least
    angle, across, tight = (_LEANING, _SLANT, _TIGHT) if leaning else (_UPRIGHT, 1.0, _TIGHT_UPRIGHT)
    pixels = type_size(cell * across, scale, tight=tight, least=least)
    stride = stride_of(cell * across, pixels, tight=tight)
    longest = _longest(labels, window, stride, pixels)
    if not leaning:
        room = max(3 * pixels, min(longest, 150 * scale, most - _LIFT))
        return ColumnStyle(pixels, stride, angle, room, min(room, longest) + _LIFT)
    room = max(3 * pixels, min(longest, 150 * scale, most / _SLANT - 1.2 * pixels))
    extent = (min(room, longest) + pixels) * _SLANT + _LIFT
    return ColumnStyle(pixels, stride, angle, room, extent)


def flat_style(
    labels: Sequence[AxisLabel], window: tuple[int, int], cell: float, scale: float
) -> ColumnStyle:
    """The style where there is little height: always upright, as many as fit, the longest elided."""
    pixels = SMALL * scale
    gap = 6 * scale
    longest = min(_longest(labels, window, 1, pixels), _FLAT * scale)
    stride = max(1, math.ceil((longest + gap) / cell)) if cell > 0 else 1
    return ColumnStyle(pixels, stride, 0.0, stride * cell - gap, line_height(pixels) + _LIFT)


def overhang(labels: Sequence[AxisLabel], window: tuple[int, int], cell: float, style: ColumnStyle) -> float:
    """How far slanted labels reach beyond the map's right edge."""
    if style.angle != _LEANING:
        return 0.0
    first, last = window
    reach = 0.0
    near = max(first, last - 1 - int(150 / cell))
    for index in range(-(-near // style.stride) * style.stride, last, style.stride):
        length = min(width(labels[index].text, style.pixels, True), style.room) + style.pixels
        reach = max(reach, length * _SLANT - (last - index - 0.5) * cell)
    return reach


def _longest(labels: Sequence[AxisLabel], window: tuple[int, int], stride: int, pixels: float) -> float:
    """Width of the longest of the labels that are drawn."""
    first, last = window
    drawn = range(-(-first // stride) * stride, last, stride)
    return widest(labels, drawn, pixels)


def place_columns(
    labels: Sequence[AxisLabel],
    window: tuple[int, int],
    area: QRectF,
    style: ColumnStyle,
    marks: Marks,
    top: float,
) -> tuple[PlacedLabel, ...]:
    """Labels of the columns `window` (first, last exclusive), which fill the map's `area`.

    Args:
        top: a strong label, which is not elided to the style's room, ends below this y.
    """
    first, last = window
    cell = area.width() / max(1, last - first)
    placed = []
    for index in chosen(first, last, style.stride, marks.strong):
        if marks.is_unknown(index):
            continue
        label, strong = labels[index], index in marks.strong
        bold = strong and not marks.is_later(index)
        room = style.room
        if strong and style.angle:
            room = max(room, (area.top() - _LIFT - top) / style.along - style.pixels)
        text = elided(label.text, style.pixels, room, bold)
        length = width(text, style.pixels, bold)
        centre = area.left() + (index - first + 0.5) * cell
        x, y = (0.0, 0.0) if style.angle else (-length / 2, -0.2 * style.pixels)
        run = TextRun(text, x, y, style.pixels, marks.role(index, quiet=label.dim), bold)
        lean = 0.0 if not style.angle else (0.3 if style.angle == _LEANING else 0.36) * style.pixels
        box = QRectF(x - 2, y - 0.8 * style.pixels, length + 4, style.pixels)
        origin = QPointF(centre + lean, area.top() - _LIFT)
        placed.append(PlacedLabel(index, (run,), origin, style.angle, box, strong))
    return tuple(placed)
