"""Painting one map."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from viewer.figures.canvas.axis_labels import draw_labels
from viewer.figures.canvas.cell_colours import codes, palette
from viewer.figures.canvas.cells import (
    MOST_IMAGE_CELLS,
    MOST_VECTOR_CELLS,
    device_scale,
    draw_image,
    draw_rectangles,
    enlarged,
    hatch_lines,
    image_of,
    known_hatch_lines,
    remembered,
)
from viewer.figures.canvas.frame import coarse_note, draw_bar, draw_legend, draw_words, part_note, pooled_note
from viewer.figures.canvas.lettering import draw_runs
from viewer.figures.canvas.matrix import Mask
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.map.codes import map_codes
from viewer.figures.map.gold.paint import paint_gold
from viewer.figures.map.layout import MapGeometry
from viewer.figures.map.long_map import LongArray, LongMap, Picture, Window, shown_until
from viewer.figures.map.paint_segments import paint_segments
from viewer.figures.map.spec import MapSpec

_LATTICE_FROM = 14.0
_SPARSE = 1.5  # as far apart as this are the strokes over cells that are not in both runs
_OUTLINES_FROM = 7.0
_MANY_LINES = 150
_MANY = 1 << 30


def paint_map(painter: QPainter, place: MapGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw a map where its geometry says."""
    spec = place.spec
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    _titles(painter, place, theme)
    _step_band(painter, place, theme)
    drawn = _cells(painter, place, theme, options)
    _hatch(painter, place, theme, drawn)
    _absent(painter, place, theme)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)  # straight lines are crisp
    _lattice(painter, place, theme)
    _later(painter, place, theme)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("grid"), 1))
    painter.drawRect(place.map_rect)
    paint_segments(painter, place, theme)
    paint_gold(painter, place, theme)
    _chosen_cells(painter, place, theme, options)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    _labels(painter, place, theme, options)
    table = palette(theme, spec.levels)
    draw_bar(painter, place.bar, table, theme, vector=options.vector)
    _legend(painter, place, theme, drawn)
    painter.restore()


def _titles(painter: QPainter, place: MapGeometry, theme: Theme) -> None:
    draw_runs(painter, [place.column_title], theme)
    painter.save()
    painter.translate(place.row_title_at)
    painter.rotate(-90)
    draw_runs(painter, [place.row_title], theme)
    painter.restore()


def shown_area(place: MapGeometry) -> QRectF:
    """The part of the map whose rows show weights; empty when none in view does."""
    rows = min(place.last_row, place.spec.shown_rows) - place.first_row
    area = QRectF(place.map_rect)
    area.setHeight(max(0, rows) * place.cell_height)
    return area


def _step_band(painter: QPainter, place: MapGeometry, theme: Theme) -> None:
    """A band behind the current step's labels."""
    step = place.spec.step_row
    if step is None or not place.first_row <= step < place.last_row:
        return
    row = place.rect_of(step, place.first_column)
    height = max(row.height(), 16 * place.scale)
    band = QRectF(place.label_left - 6, row.center().y() - height / 2, 0, height)
    band.setRight(place.map_rect.left())
    painter.fillRect(band, theme.color("highlight"))


class _Drawn(NamedTuple):
    """What became of the cells: whether pixels stand for several, whether coarser than they could.

    Attributes:
        mask, cells, area: which cells of which mask are hatched where; no mask: none.
    """

    small: bool = False
    coarse: bool = False
    mask: Mask | None = None
    cells: tuple[slice, slice] = (slice(0), slice(0))
    area: QRectF = QRectF()


def _cells(painter: QPainter, place: MapGeometry, theme: Theme, options: DrawOptions) -> _Drawn:
    """Draw the cells."""
    spec, area = place.spec, shown_area(place)
    if area.isEmpty():
        return _Drawn()
    if isinstance(spec.matrix, LongArray):
        return _long_cells(painter, place, theme, options, spec.matrix.of)
    mask = None if spec.masked is None else np.asarray(spec.masked)
    rows = slice(place.first_row, min(place.last_row, spec.shown_rows))
    drawn = _Drawn(mask=mask, cells=(rows, slice(place.first_column, place.last_column)), area=area)
    window = (place.first_row, place.last_row, place.first_column, place.last_column)
    table = palette(theme, spec.levels)
    if options.vector:
        values, _ = map_codes(spec, window, (_MANY, _MANY))
        if max(values.shape) <= MOST_VECTOR_CELLS:
            draw_rectangles(painter, area, values, table)
        else:
            draw_image(painter, area, image_of(table[enlarged(values)]))
        return drawn
    across, down = device_scale(painter)
    pixels = (max(1, round(area.height() * down)), max(1, round(area.width() * across)))

    def make() -> tuple[QImage, bool]:
        values, small = map_codes(spec, window, pixels)
        return image_of(table[values]), small

    size = (min(rows.stop - rows.start, pixels[0]), min(place.last_column - place.first_column, pixels[1]))
    image, small = remembered(spec, ("image", theme.key, window, size), make)
    draw_image(painter, area, image)
    return drawn._replace(small=small)


def picture_wanted(
    painter: QPainter, place: MapGeometry, options: DrawOptions
) -> tuple[Window, tuple[int, int]]:
    """Which picture of a long map is drawn: the cells in view, those of later steps too, and its pixels."""
    window = (place.first_row, place.last_row, place.first_column, place.last_column)
    if options.vector:
        return window, (MOST_IMAGE_CELLS, MOST_IMAGE_CELLS)
    across, down = device_scale(painter)
    area = place.map_rect
    return window, (max(1, round(area.height() * down)), max(1, round(area.width() * across)))


def _long_cells(
    painter: QPainter, place: MapGeometry, theme: Theme, options: DrawOptions, long: LongMap
) -> _Drawn:
    """Draw the cells of a long map from pictures, of which those not at hand are read only if not `lazy`."""
    spec = place.spec
    window, pixels = picture_wanted(painter, place, options)
    if options.lazy and window == long.whole:
        long.drawn = pixels
    picture = long.picture(window, pixels) if options.lazy else long.whole_picture(window, pixels)
    exact, picture = picture, picture or long.coarse(window)
    if picture is None:
        return _Drawn(coarse=True)
    last = min(place.last_row, spec.shown_rows)
    whole = picture
    picture = shown_until(picture, last)
    painter.save()
    painter.setClipRect(shown_area(place), Qt.ClipOperation.IntersectClip)
    area = _area_of(place, picture.window)
    if picture.values.size:
        image = remembered(whole, _coloured(spec, theme), lambda: _image(whole, spec, theme))
        draw_image(painter, area, image, len(picture.values))
    if exact is not None and picture.window[1] < last:  # a row of pixels that a later step begins in
        strip = long.strip((picture.window[1], last, *window[2:]), pixels[1])
        draw_image(painter, _area_of(place, strip.window), _image(strip, spec, theme))
    painter.restore()
    high, wide = picture.values.shape
    return _Drawn(
        whole.pooled, exact is None, whole.masked, (slice(0, high), slice(0, wide)), area & shown_area(place)
    )


def _coloured(spec: MapSpec, theme: Theme) -> Hashable:
    return "image", theme.key, spec.levels, spec.sqrt_scale


def _image(picture: Picture, spec: MapSpec, theme: Theme) -> QImage:
    values = codes(picture.values, picture.masked, spec.levels, sqrt_scale=spec.sqrt_scale)
    return image_of(palette(theme, spec.levels)[values])


def _area_of(place: MapGeometry, window: Window) -> QRectF:
    """Where a window of cells is."""
    first, last, left, right = window
    corner = place.rect_of(first, left).topLeft()
    return QRectF(corner, place.rect_of(last, right).topLeft())


def _lattice(painter: QPainter, place: MapGeometry, theme: Theme) -> None:
    """Fine lines between cells that are large enough to have some."""
    area = shown_area(place)
    if min(place.cell_width, place.cell_height) < _LATTICE_FROM * place.scale or area.isEmpty():
        return
    painter.setPen(QPen(theme.color("grid"), 1))
    for column in range(place.first_column + 1, place.last_column):
        x = place.rect_of(place.first_row, column).left()
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
    for row in range(place.first_row + 1, min(place.last_row, place.spec.shown_rows)):
        y = place.rect_of(row, place.first_column).top()
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))


def _hatch(painter: QPainter, place: MapGeometry, theme: Theme, drawn: _Drawn) -> None:
    if drawn.mask is None or drawn.area.isEmpty() or drawn.cells[0].stop <= drawn.cells[0].start:
        return
    lines = known_hatch_lines(drawn.mask, drawn.cells, drawn.area, place.scale)
    _draw_hatch(painter, lines, theme, "hatch")


def _absent(painter: QPainter, place: MapGeometry, theme: Theme) -> None:
    """Strokes the other way, from top left to bottom right, over cells that a run compared does not have."""
    spec, area = place.spec, shown_area(place)
    if spec.absent is None or area.isEmpty():
        return
    rows = slice(place.first_row, min(place.last_row, spec.shown_rows))
    columns = slice(place.first_column, place.last_column)
    mirrored = hatch_lines(spec.absent[rows, columns][:, ::-1], area, _SPARSE * place.scale)
    across = area.left() + area.right()
    lines = [QLineF(across - line.x1(), line.y1(), across - line.x2(), line.y2()) for line in mirrored]
    _draw_hatch(painter, lines, theme, "outline")


def _draw_hatch(painter: QPainter, lines: list[QLineF], theme: Theme, role: str) -> None:
    painter.setPen(QPen(theme.color(role), 1))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(lines) < _MANY_LINES)  # they are slow
    painter.drawLines(lines)


def _later(painter: QPainter, place: MapGeometry, theme: Theme) -> None:
    """Outlines of the cells of later steps: of each, or of all where cells are tiny."""
    spec = place.spec
    first = max(place.first_row, spec.shown_rows)
    if first >= place.last_row or place.first_column >= place.last_column:
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("outline"), 1))
    corner = place.rect_of(first, place.first_column).topLeft()
    block = QRectF(corner, place.map_rect.bottomRight())
    painter.fillRect(block, theme.color("panel"))
    if min(place.cell_width, place.cell_height) < _OUTLINES_FROM:
        painter.setPen(QPen(theme.color("outline"), 1, Qt.PenStyle.DashLine))
        painter.drawRect(block.adjusted(2, 2, -2, -2))
        return
    inset = min(3.0, 0.12 * min(place.cell_width, place.cell_height))
    painter.drawRects(
        [
            place.rect_of(row, column).adjusted(inset, inset, -inset, -inset)
            for row in range(first, place.last_row)
            for column in range(place.first_column, place.last_column)
        ]
    )


def _chosen_cells(painter: QPainter, place: MapGeometry, theme: Theme, options: DrawOptions) -> None:
    """Frames around the current step's row, the chosen cell and what is under the pointer in some view."""
    spec = place.spec
    _lit(painter, place, theme, options)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if spec.step_row is not None and place.first_row <= spec.step_row < place.last_row:
        row = place.rect_of(spec.step_row, place.first_column)
        row.setRight(place.map_rect.right())
        soft = theme.color("accent")
        soft.setAlphaF(0.45)
        _thin_frame(painter, row, soft)
    for cell, thickness in ((options.hover, 1.0), (spec.crosshair, 2.0)):
        if cell is not None and _in_view(place, cell):
            painter.setPen(QPen(theme.color("accent"), thickness * place.scale))
            frame = place.rect_of(*cell)
            if min(frame.width(), frame.height()) < 4:
                frame.adjust(-2, -2, 2, 2)
            painter.drawRect(frame)


def _thin_frame(painter: QPainter, frame: QRectF, color: QColor) -> None:
    """A frame of one pixel; with a pen whose colour is not opaque it takes a hundred times as long."""
    wide, high = frame.width(), frame.height()
    for x, y, w, h in ((0, 0, wide, 1), (0, high, wide, 1), (0, 1, 1, high - 1), (wide, 0, 1, high + 1)):
        painter.fillRect(QRectF(frame.left() + x, frame.top() + y, w, h), color)


def _lit(painter: QPainter, place: MapGeometry, theme: Theme, options: DrawOptions) -> None:
    """Thin frames around the row and the column of the tokens that the pointer is on in some view."""
    row, column = options.lit
    frames = []
    if row is not None and place.first_row <= row < place.last_row:
        frame = place.rect_of(row, place.first_column)
        frame.setRight(place.map_rect.right())
        frames.append(frame)
    if column is not None and place.first_column <= column < place.last_column:
        frame = place.rect_of(place.first_row, column)
        frame.setBottom(place.map_rect.bottom())
        frames.append(frame)
    painter.setBrush(Qt.BrushStyle.NoBrush)  # what lay on the cells would change their colours
    painter.setPen(QPen(theme.color("accent"), 1))
    for frame in frames:
        painter.drawRect(frame)


def _in_view(place: MapGeometry, cell: tuple[int, int]) -> bool:
    row, column = cell
    return place.first_row <= row < place.last_row and place.first_column <= column < place.last_column


def _labels(painter: QPainter, place: MapGeometry, theme: Theme, options: DrawOptions) -> None:
    row, column = options.lit
    draw_labels(painter, place.columns, theme, (column,))
    draw_labels(painter, place.rows, theme, (place.spec.step_row, row))


def _legend(painter: QPainter, place: MapGeometry, theme: Theme, drawn: _Drawn) -> None:
    """What hatching and outlines mean, which part is in view, and that pixels stand for several cells."""
    spec = place.spec
    notes = []
    if place.last_row - place.first_row < spec.rows or place.last_column - place.first_column < spec.columns:
        queries = (place.first_row + 1, place.last_row, spec.rows)
        keys = (place.first_column + 1, place.last_column, spec.columns)
        notes.append(part_note(queries, keys))
    if drawn.coarse:
        notes.append(coarse_note())
    if drawn.small:
        notes.append(pooled_note(weights=not spec.quantity))
    draw_legend(
        painter,
        place.legend,
        theme,
        masked=spec.masked is not None,
        later=spec.shown_rows < spec.rows,
        absent=spec.has_absent,
        notes=notes,
        scale=place.scale,
    )
