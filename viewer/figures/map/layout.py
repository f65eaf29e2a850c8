"""Layout of a map: the same answer for painting, for hit tests and for every device."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.canvas.axis_labels import Marks, PlacedLabel
from viewer.figures.canvas.column_labels import TIGHTEST as COLUMNS_TIGHTEST
from viewer.figures.canvas.column_labels import ColumnStyle, column_style, flat_style, overhang, place_columns
from viewer.figures.canvas.frame import (
    BAR_GAP,
    ColourBar,
    Words,
    bar_width,
    legend_entries,
    legend_width,
    place_bar,
    place_words,
)
from viewer.figures.canvas.lettering import SMALL, TextRun, elided, line_height, middle
from viewer.figures.canvas.lettering import width as text_width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.row_labels import TIGHTEST, RowStyle, place_rows, row_style
from viewer.figures.canvas.zoom import Zoom
from viewer.figures.figure import FigureSpec
from viewer.figures.map.spec import MapSpec

LARGEST_CELL = 96.0
_FLATTEST = 2.0
_FLATTEST_COMPACT = 5.0
# Where few tokens cross many, cells may be of any shape until each of the few has room for its label or the
# map's short side is so much of its long one.
_READABLE = 14.0
_STRETCHED = 0.75
# A page of a map is at most so many times as high as wide.
_TALLEST_PAGE = 1.4
# Labels of rows take at most so much of the width, less where there is little of it.
_LABELS, _LABELS_TIGHT, _TIGHT, _LEAST_LABELS = 0.4, 0.34, 420.0, 0.16
# A legend whose entries would get less room than this beside the row labels begins below them.
_LEGEND_ENTRY = 140.0
_EDGE = 8.0
_TITLE_GAP, _TITLE_GAP_TIGHT = 12.0, 5.0
_BAR_GAP_TIGHT = 8.0


@dataclass(frozen=True)
class MapGeometry:
    """A map, placed.

    Attributes:
        spec: what is shown.
        map_rect: the cells in view, later rows included.
        first_row, last_row, first_column, last_column: which cells those are, half-open.
        words: title, badges, caption.
        row_title: relative to `row_title_at`, turned by -90 degrees.
    """

    spec: MapSpec
    map_rect: QRectF
    first_row: int
    last_row: int
    first_column: int
    last_column: int
    words: Words
    rows: tuple[PlacedLabel, ...]
    columns: tuple[PlacedLabel, ...]
    column_title: TextRun
    row_title: TextRun
    row_title_at: QPointF
    bar: ColourBar
    legend: QRectF
    label_left: float
    scale: float

    @property
    def cell_width(self) -> float:
        """Width of a cell in logical pixels."""
        return self.map_rect.width() / max(1, self.last_column - self.first_column)

    @property
    def cell_height(self) -> float:
        """Height of a cell in logical pixels."""
        return self.map_rect.height() / max(1, self.last_row - self.first_row)

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """The (row, column) at a point of the picture, None outside the map."""
        row, column = self._row_at(point), self._column_at(point)
        return None if row is None or column is None else (row, column)

    def rect_of(self, row: int, column: int) -> QRectF:
        """Where a cell is; outside `map_rect` when it is out of view."""
        x = self.map_rect.left() + (column - self.first_column) * self.cell_width
        y = self.map_rect.top() + (row - self.first_row) * self.cell_height
        return QRectF(x, y, self.cell_width, self.cell_height)

    def label_at(self, point: QPointF) -> AxisLabel | None:
        """The token whose label is at a point beside the map, for its full text in a tooltip."""
        for labels, placed in ((self.spec.row_labels, self.rows), (self.spec.column_labels, self.columns)):
            for label in reversed(placed):
                if label.contains(point):
                    return labels[label.index]
        row = self._row_at(point)
        if row is not None and self.label_left <= point.x() < self.map_rect.left():
            return self.spec.row_labels[row]
        return None

    def _row_at(self, point: QPointF) -> int | None:
        if not self.map_rect.top() <= point.y() < self.map_rect.bottom():
            return None
        row = self.first_row + int((point.y() - self.map_rect.top()) / self.cell_height)
        return min(row, self.last_row - 1)

    def _column_at(self, point: QPointF) -> int | None:
        if not self.map_rect.left() <= point.x() < self.map_rect.right():
            return None
        column = self.first_column + int((point.x() - self.map_rect.left()) / self.cell_width)
        return min(column, self.last_column - 1)


@dataclass(frozen=True)
class _Fit:
    """Sizes of a map's parts before they are placed."""

    cell_width: float
    cell_height: float
    rows: RowStyle
    columns: ColumnStyle
    right: float


def map_geometry(figure: FigureSpec[MapSpec], rect: QRectF, options: DrawOptions) -> MapGeometry:
    """Lay a map out so that it fills `rect` as well as cells of a sensible shape can."""
    spec = figure.body
    scale = options.font_scale
    words = place_words(rect, spec.title, spec.kind_name, spec.badges, figure.caption, options)
    window = (options.zoom or Zoom.whole(spec.rows, spec.columns)).cells(spec.rows, spec.columns)
    beside = options.compact and _legend_beside(spec, words.room, scale)
    legend = 0.0 if beside else _legend_height(spec, window, words.room, scale)
    room = words.room.adjusted(0, 0, 0, -legend)
    fit = _fit(spec, window, room, options)
    if not options.caption and _legible(fit)[0] < -1:  # a label is worth more than the axis's title
        bare = replace(options, axis_titles=False)
        without = _fit(spec, window, room, bare)
        if _legible(without)[0] > _legible(fit)[0]:
            fit, options = without, bare
    return _placed(spec, window, words, fit, options, legend)


def map_height(figure: FigureSpec[MapSpec], width: float, options: DrawOptions) -> float:
    """The height at which a map of that width has square cells, if a page allows, and nothing left over."""
    return _page_height(figure, width, options, _page_cell)


def map_least(figure: FigureSpec[MapSpec], width: float, options: DrawOptions) -> float:
    """The least height at which a map of that width keeps its labels; without all, half of its own."""
    return _page_height(figure, width, options, _least_cell)


_Cell = Callable[[_Fit, int, int, float, DrawOptions], float]


def _page_height(figure: FigureSpec[MapSpec], width: float, options: DrawOptions, cell: _Cell) -> float:
    """Height of a page whose cells are so high."""
    spec = figure.body
    scale = options.font_scale
    tall = QRectF(0, 0, width, 1e6)
    words = place_words(tall, spec.title, spec.kind_name, spec.badges, figure.caption, options)
    window = (options.zoom or Zoom.whole(spec.rows, spec.columns)).cells(spec.rows, spec.columns)
    fit = _fit(spec, window, words.room, options)
    rows = max(1, window[1] - window[0])
    legend = _legend_height(spec, window, QRectF(0, 0, width, rows * LARGEST_CELL), scale)
    high = cell(fit, rows, max(1, window[3] - window[2]), width, options)
    inner = line_height(SMALL * scale) + 4 * scale + fit.columns.extent + rows * high + 4 * scale + legend
    inner = max(inner, text_width(spec.row_title, SMALL * scale) + 2 * scale)
    return words.room.top() + inner + tall.bottom() - words.room.bottom()


def _least_cell(fit: _Fit, rows: int, columns: int, width: float, options: DrawOptions) -> float:
    """The least height of the cells on a page: that of the smallest type, if all rows have labels."""
    usual = _page_cell(fit, rows, columns, width, options)
    return min(usual, TIGHTEST * options.least_type) if fit.rows.stride == 1 else usual / 2


def _page_cell(fit: _Fit, rows: int, columns: int, width: float, options: DrawOptions) -> float:
    """Height of the cells on a page: square, higher where few rows cross many columns, never too high."""
    scale = options.font_scale
    square = min(fit.cell_width, fit.cell_height)
    readable = min(_READABLE * scale, _STRETCHED * columns * fit.cell_width / rows)
    labelled = min(TIGHTEST * fit.rows.pixels, _FLATTEST * fit.cell_width) if fit.rows.stride == 1 else 0.0
    return min(max(square, readable, labelled), _TALLEST_PAGE * width / rows)


def _legend_height(spec: MapSpec, window: tuple[int, int, int, int], room: QRectF, scale: float) -> float:
    """Room below a map for what hatching, outlines and tiny cells mean."""
    first, last, left, right = window
    tiny = last - first > 0.6 * room.height() or right - left > 0.6 * room.width()
    part = last - first < spec.rows or right - left < spec.columns
    if spec.masked is not None or spec.has_absent or spec.shown_rows < spec.rows or tiny or part:
        return line_height(SMALL * scale) + 6 * scale
    return 0.0


def _titled(options: DrawOptions) -> bool:
    return options.axis_titles and not options.compact


def _title_height(options: DrawOptions) -> float:
    """Room of an axis title across its line."""
    return line_height(SMALL * options.font_scale) if _titled(options) else 0.0


def _bar_gap(room: QRectF, options: DrawOptions) -> float:
    """How far the colour bar is from the map."""
    return BAR_GAP if room.width() > _TIGHT * options.font_scale else _BAR_GAP_TIGHT


def _labels_width(spec: MapSpec, extent: float, room: QRectF, options: DrawOptions) -> float:
    """Room left of the cells; a compact map has its legend there, above the row labels, if that is enough."""
    scale = options.font_scale
    gap = _TITLE_GAP if room.width() > _TIGHT * scale else _TITLE_GAP_TIGHT
    labels = _title_height(options) + gap * scale + extent + _EDGE * scale
    if not options.compact or not _legend_beside(spec, room, scale):
        return labels
    return max(labels, _legend_width(spec, scale))


def _legend_width(spec: MapSpec, scale: float) -> float:
    later = spec.shown_rows < spec.rows
    entries = legend_entries(masked=spec.masked is not None, absent=spec.has_absent, later=later)
    return legend_width(entries, scale)


def _legend_beside(spec: MapSpec, room: QRectF, scale: float) -> bool:
    """Whether a compact map's legend has room in the corner left of the column labels, or goes below."""
    return _legend_width(spec, scale) <= _LABELS * room.width()


def _columns_style(
    spec: MapSpec, window: tuple[int, int], cell: float, most: float, options: DrawOptions
) -> ColumnStyle:
    if options.compact:
        return flat_style(spec.column_labels, window, cell, options.font_scale)
    return column_style(spec.column_labels, window, cell, most, options.font_scale, options.least_type)


def _fit(spec: MapSpec, window: tuple[int, int, int, int], room: QRectF, options: DrawOptions) -> _Fit:
    """The sizes at which most tokens have a label, and of these those of the largest type.

    Smaller labels of rows leave more room to the columns, whose own can then be larger.
    """
    usual = _sizes(spec, window, room, options, math.inf)
    best, score = usual, _legible(usual)
    first, last, left, right = window
    least = options.least_type
    if (right - left) * COLUMNS_TIGHTEST * least > room.width() or (last - first) * least > room.height():
        return usual  # there are too many, whatever the type
    largest = usual.rows.pixels
    while score < (-1, largest) and largest > options.least_type:
        largest = max(largest - 1.0, options.least_type)
        fit = _sizes(spec, window, room, options, largest)
        if _legible(fit) > score:
            best, score = fit, _legible(fit)
    if score[0] < -1:  # rather a long word cut short than one left out
        squeezed = _sizes(spec, window, room, options, options.least_type, squeezed=True)
        best = squeezed if _legible(squeezed) > score else best
    return best


def _legible(fit: _Fit) -> tuple[int, float]:
    """How few labels are left out, then the size of the smaller type."""
    return -max(fit.rows.stride, fit.columns.stride), min(fit.rows.pixels, fit.columns.pixels)


def _sizes(
    spec: MapSpec,
    window: tuple[int, int, int, int],
    room: QRectF,
    options: DrawOptions,
    largest: float,
    *,
    squeezed: bool = False,
) -> _Fit:
    """Sizes that satisfy each other, found from rows to columns and back.

    Args:
        largest: type of the rows.
        squeezed: labels of rows leave the columns the room that their labels need.
    """
    first, last, left, right = window
    scale = options.font_scale
    rows, columns = max(1, last - first), max(1, right - left)
    gap = _bar_gap(room, options)
    bar = bar_width(spec.levels, sqrt_scale=spec.sqrt_scale, scale=scale, title=spec.quantity, gap=gap)
    column_room = room.height() - _title_height(options) - 8 * scale
    height = max(1.0, column_room - 40 * scale) / rows
    most = (_LABELS if room.width() > _TIGHT * scale else _LABELS_TIGHT) * room.width()
    if squeezed:
        needed = columns * COLUMNS_TIGHTEST * options.least_type
        beside = _labels_width(spec, 0.0, room, options) + bar
        most = min(most, max(_LEAST_LABELS * room.width(), room.width() - beside - needed))
    row = row_style(spec.row_labels, (first, last), height, most, scale, options.least_type, largest)
    beyond = bar
    for _ in range(3):
        taken = _labels_width(spec, row.extent, room, options) + beyond
        wide = max(1.0, room.width() - taken) / columns
        wide = min(wide, LARGEST_CELL * scale)
        column = _columns_style(spec, (left, right), wide, 0.4 * room.height(), options)
        height = max(1.0, column_room - column.extent) / rows
        height = min(height, LARGEST_CELL * scale)
        wide, height = _shaped(wide, height, rows, columns, options)
        wide, height = _snapped(wide), _snapped(height)
        row = row_style(spec.row_labels, (first, last), height, most, scale, options.least_type, largest)
        column = _columns_style(spec, (left, right), wide, 0.4 * room.height(), options)
        beyond = max(bar, overhang(spec.column_labels, (left, right), wide, column))
    # The last sizes of the labels decide, so that nothing leaves the room.
    taken = _labels_width(spec, row.extent, room, options) + beyond
    wide = min(wide, max(1.0, room.width() - taken) / columns)
    height = min(height, max(1.0, column_room - column.extent) / rows)
    wide, height = _shaped(wide, height, rows, columns, options)
    return _Fit(wide, height, row.at(height), column.at(wide), beyond)


def _shaped(wide: float, height: float, rows: int, columns: int, options: DrawOptions) -> tuple[float, float]:
    """Width and height of cells, the longer side cut to a sensible shape."""
    least = _READABLE * options.font_scale
    flattest = _FLATTEST_COMPACT if options.compact else _FLATTEST
    widest = max(flattest * height, min(least, _STRETCHED * rows * height / columns))
    highest = max(_FLATTEST * wide, min(least, _STRETCHED * columns * wide / rows))
    return min(wide, widest), min(height, highest)


def _snapped(length: float) -> float:
    """Whole pixels for cells that are large enough not to miss the rest."""
    return float(int(length)) if length >= 16 else length


def _placed(
    spec: MapSpec,
    window: tuple[int, int, int, int],
    words: Words,
    fit: _Fit,
    options: DrawOptions,
    legend: float,
) -> MapGeometry:
    first, last, left, right = window
    scale, room = options.font_scale, words.room
    title = _title_height(options)
    size_x, size_y = (right - left) * fit.cell_width, (last - first) * fit.cell_height
    labels = _labels_width(spec, fit.rows.extent, room, options)
    spare = max(0.0, room.width() - labels - size_x - fit.right)
    x = round(room.left() + spare / 2 + labels)
    y = round(room.top() + title + 4 * scale + fit.columns.extent)
    area = QRectF(x, y, size_x, size_y)
    row_marks, column_marks = _marks(spec, options)
    columns = place_columns(spec.column_labels, (left, right), area, fit.columns, column_marks, room.top())
    rows = place_rows(
        spec.row_labels, (first, last), area, x - _EDGE * scale, fit.rows, row_marks, room.left()
    )
    bar_area = QRectF(area.right(), y, fit.right, max(size_y, 8.0))
    return MapGeometry(
        spec=spec,
        map_rect=area,
        first_row=first,
        last_row=last,
        first_column=left,
        last_column=right,
        words=words,
        rows=rows,
        columns=columns,
        column_title=_column_title(spec, area, room, options),
        row_title=_row_title(spec, room, options),
        row_title_at=_row_title_at(spec, area, room, room.left() + spare / 2, scale),
        bar=place_bar(
            bar_area,
            spec.levels,
            sqrt_scale=spec.sqrt_scale,
            scale=scale,
            title=spec.quantity,
            gap=_bar_gap(room, options),
        ),
        legend=_legend_rect(spec, area, room, legend, options),
        label_left=x - _EDGE * scale - fit.rows.extent,
        scale=scale,
    )


def _legend_rect(spec: MapSpec, area: QRectF, room: QRectF, height: float, options: DrawOptions) -> QRectF:
    scale = options.font_scale
    if options.compact and not height:  # in the corner left of the column labels
        line = line_height(SMALL * scale)
        return QRectF(room.left(), area.top() - line - 2 * scale, max(0.0, area.left() - room.left()), line)
    # Below the cells; further left where it needs more room, but not onto the title of the rows.
    least = room.left() + _title_height(options)
    left = max(least, min(area.left(), room.right() - _legend_width(spec, scale)))
    return QRectF(left, area.bottom() + 6 * scale, room.right() - left, max(0.0, height - 6 * scale))


def _marks(spec: MapSpec, options: DrawOptions) -> tuple[Marks, Marks]:
    """What stands out along the rows and along the columns."""
    cells = [cell for cell in (options.hover, options.lit, spec.crosshair) if cell is not None]
    rows = [row for row, _ in cells if row is not None]
    if spec.step_row is not None:
        rows.append(spec.step_row)
    columns = tuple(column for _, column in cells if column is not None)
    return (
        Marks(tuple(rows), spec.later_from if spec.shown_rows < spec.rows else None),
        Marks(columns, spec.later_columns),
    )


def _column_title(spec: MapSpec, area: QRectF, room: QRectF, options: DrawOptions) -> TextRun:
    pixels = SMALL * options.font_scale
    text = elided(spec.column_title, pixels, room.width()) if _titled(options) else ""
    length = text_width(text, pixels)
    x = min(max(room.left(), area.center().x() - length / 2), max(room.left(), room.right() - length))
    return TextRun(text, x, middle(room.top() + line_height(pixels) / 2, pixels), pixels, "dim")


def _row_title(spec: MapSpec, room: QRectF, options: DrawOptions) -> TextRun:
    pixels = SMALL * options.font_scale
    text = elided(spec.row_title, pixels, room.height()) if _titled(options) else ""
    return TextRun(text, 0.0, 0.0, pixels, "dim")


def _row_title_at(spec: MapSpec, area: QRectF, room: QRectF, x: float, scale: float) -> QPointF:
    pixels = SMALL * scale
    length = text_width(elided(spec.row_title, pixels, room.height()), pixels)
    bottom = min(max(area.center().y() + length / 2, room.top() + length), max(room.bottom(), area.bottom()))
    return QPointF(x + 0.8 * line_height(pixels), bottom)
