"""Cells: the coloured cells of a map on any paint device."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np
from PySide6.QtCore import QLineF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from viewer.figures.canvas.cell_colours import Codes, Pixels, codes, pooled
from viewer.figures.canvas.colour_maps import Table
from viewer.figures.canvas.matrix import Mask, Matrix

MOST_VECTOR_CELLS = 128
MOST_IMAGE_CELLS = 2048
"""Rows or columns of an image in SVG or PDF; of a map with more of them pixels stand for several cells."""
_OVERLAP = 1.0
HATCH_GAP = 6.0

Value = TypeVar("Value")
_hatches: deque[tuple[Mask, Hashable, list[QLineF]]] = deque(maxlen=4)


def remembered(owner: object, key: Hashable, make: Callable[[], Value]) -> Value:
    """What `make` gave when it was first asked for `key` of `owner`; forgotten with the owner."""
    # With the owner itself, not in a dictionary of weak keys: what is remembered may refer to its owner,
    # which such a dictionary would then keep for ever, and a trace's patterns and open file with it.
    known: dict[Hashable, Value] = vars(owner).setdefault("_remembered", {})
    try:
        return known[key]
    except KeyError:
        made = make()
        if len(known) > 8:  # another thread may do the same, an export's
            known.clear()
        known[key] = made
        return made


def device_scale(painter: QPainter) -> tuple[float, float]:
    """Device pixels a logical pixel, across and down."""
    transform = painter.deviceTransform()
    across = float(np.hypot(transform.m11(), transform.m12()))
    down = float(np.hypot(transform.m21(), transform.m22()))
    return across, down


def image_of(pixels: Pixels) -> QImage:
    """An image that owns a copy of [row, column] colours."""
    rows, columns = pixels.shape
    pixels = np.ascontiguousarray(pixels)
    return QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGB32).copy()


@runtime_checkable
class KeepsImages(Protocol):
    """A device that is a file and puts its images in itself, after Qt has drawn something in their places."""

    def stand_in(self, image: QImage) -> QImage:
        """What Qt is to draw in an image's place; the file will have the image as it is now."""


def draw_image(painter: QPainter, area: QRectF, image: QImage, rows: int | None = None) -> None:
    """An image with hard-edged pixels; for a device that keeps images it is enlarged first.

    Args:
        rows: so many rows of pixels from the top fill the area; None: all.
    """
    source = QRect(0, 0, image.width(), image.height() if rows is None else rows)
    if area.isEmpty() or source.isEmpty():
        return
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    device = painter.device()
    if isinstance(device, KeepsImages):
        painter.drawImage(area, device.stand_in(image if source == image.rect() else image.copy(source)))
    else:
        painter.drawImage(area, image, QRectF(source))


def enlarged(values: Codes, sharpest: int = MOST_IMAGE_CELLS) -> Codes:
    """Codes with every cell several pixels wide, since a viewer of SVG or PDF may smooth an image."""
    factor = max(1, sharpest // max(values.shape))
    return values.repeat(factor, axis=0).repeat(factor, axis=1)


def draw_rectangles(painter: QPainter, area: QRectF, values: Codes, table: Table) -> None:
    """Cells as rectangles without seams, runs of one colour merged.

    Every rectangle reaches a pixel farther right and down than it should, where the following ones cover
    it: so no viewer's antialiasing lets the background through between two of them. No farther: what covers
    it is antialiased too, and would let a dark neighbour shine through along all its edge.
    """
    rows, columns = values.shape
    width, height = area.width() / columns, area.height() / rows
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    for row in range(rows):
        top = area.top() + row * height
        bottom = min(top + height + _OVERLAP, area.top() + area.height())
        line = values[row]
        starts = [0, *(np.flatnonzero(line[1:] != line[:-1]) + 1).tolist()]
        for start, end in zip(starts, [*starts[1:], columns], strict=True):
            left = area.left() + start * width
            right = min(area.left() + end * width + _OVERLAP, area.left() + area.width())
            painter.setBrush(QColor.fromRgb(int(table[line[start]])))
            painter.drawRect(QRectF(left, top, right - left, bottom - top))
    painter.restore()


def draw_matrix(
    painter: QPainter,
    area: QRectF,
    matrix: Matrix,
    levels: tuple[float, float],
    table: Table,
    *,
    vector: bool,
) -> None:
    """A matrix as coloured cells that fill `area`, pooled where there are more cells than pixels.

    Args:
        vector: the device keeps shapes: cells are rectangles, unless there are too many of them.
    """
    if vector:
        values = codes(matrix, None, levels, sqrt_scale=False)
        if max(values.shape) <= MOST_VECTOR_CELLS:
            draw_rectangles(painter, area, values, table)
            return
        values = enlarged(values)
    else:
        across, down = device_scale(painter)
        rows, columns = round(area.height() * down), round(area.width() * across)
        small = pooled(matrix, max(1, rows), max(1, columns))
        values = codes(small, None, levels, sqrt_scale=False)
    draw_image(painter, area, image_of(table[values]))


def known_hatch_lines(masked: Mask, cells: tuple[slice, slice], area: QRectF, scale: float) -> list[QLineF]:
    """`hatch_lines` of part of a mask; the last few are kept, since the heads of a kind share a mask."""
    key = (cells[0].start, cells[0].stop, cells[1].start, cells[1].stop, area.getRect(), scale)
    for mask, of, lines in tuple(_hatches):  # another thread may add some, an export's
        if mask is masked and of == key:
            return lines
    made = hatch_lines(masked[cells], area, scale)
    _hatches.append((masked, key, made))
    return made


def hatch_lines(masked: Mask, area: QRectF, scale: float) -> list[QLineF]:
    """Strokes from bottom left to top right over the masked cells of a map that fills `area`."""
    rows, columns = masked.shape
    gap, width, height = HATCH_GAP * scale, area.width(), area.height()
    cell = min(width / columns, height / rows)
    step = 0.5 if cell > 4 else 1.0 if cell > 2 else 2.0
    along = np.arange(0.0, height, step)  # samples of each stroke, by their distance from the top
    start = np.arange(1, int((width + height) / gap) + 1)[:, None] * gap
    x = start - along
    inside = (x >= 0) & (x < width)
    column = np.where(inside, x * (columns / width), 0).astype(np.int32)
    row = (along * (rows / height)).astype(np.int32)
    hit = np.zeros((len(start), len(along) + 2), np.bool_)
    hit[:, 1:-1] = masked[row, np.minimum(column, columns - 1)] & inside
    stroke, turn = np.nonzero(hit[:, 1:] != hit[:, :-1])
    lines: list[QLineF] = []
    for index, first, last in zip(stroke[::2].tolist(), turn[::2].tolist(), turn[1::2].tolist(), strict=True):
        if last - first > 1:
            top, bottom = first * step, (last - 1) * step
            from_left = area.left() + (index + 1) * gap
            lines.append(QLineF(from_left - top, area.top() + top, from_left - bottom, area.top() + bottom))
    return lines
