"""Layout: where everything in a flow goes: queries left, keys right, lines between them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.canvas.axis_labels import Marks, PlacedLabel, chosen, stride_of, type_size
from viewer.figures.canvas.frame import Words, place_words
from viewer.figures.canvas.lettering import LABEL, SMALL, TextRun, elided, line_height, middle, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.row_labels import RowStyle, place_rows, row_style
from viewer.figures.canvas.zoom import Zoom
from viewer.figures.figure import FigureSpec
from viewer.figures.flow.lines import Lines
from viewer.figures.flow.spec import FlowSpec

LARGEST_PITCH = 44.0
READABLE_PITCH = 16.0
"""From this distance on every token has room for its label."""
_PAGE_PITCH = 20.0
_TALLEST_PAGE = 1.4
_TIGHT = 1.2
_LABELS = 0.34
_KEYS = 0.26
_EDGE = 10.0
_WIDEST, _SLENDEREST = 1.9, 260.0
NEAR = 5.0
"""A point that is no farther from a line is on it."""


@dataclass(frozen=True)
class Column:
    """One column of tokens.

    Attributes:
        top: y of the upper edge of token 0, in view or not.
        pitch: distance of tokens.
        count: how many there are.
        first, last: which are in view, half-open.
    """

    top: float
    pitch: float
    count: int
    first: int
    last: int

    def y(self, index: float) -> float:
        """The middle of a token."""
        return self.top + (index + 0.5) * self.pitch

    def at(self, y: float) -> int | None:
        """The token at a height, None if there is none."""
        index = math.floor((y - self.top) / self.pitch) if self.pitch else -1
        return index if self.first <= index < self.last else None


@dataclass(frozen=True)
class FlowGeometry:
    """A flow, placed.

    Attributes:
        area: between the two columns of tokens; lines are cut off at its upper and lower edge.
        queries, keys: both columns.
        labels_left, labels_right: outer edges of the labels.
        spread: from the lines of one head to those of the next, at a token.
    """

    spec: FlowSpec
    words: Words
    area: QRectF
    queries: Column
    keys: Column
    rows: tuple[PlacedLabel, ...]
    columns: tuple[PlacedLabel, ...]
    titles: tuple[TextRun, ...]
    legend: QRectF
    labels_left: float
    labels_right: float
    spread: float
    scale: float

    def ends(self, lines: Lines) -> tuple[np.ndarray, np.ndarray]:
        """Heights of the lines' left and right ends, float64 [line]."""
        shift = (lines.place - (len(self.spec.maps) - 1) / 2) * self.spread
        left = self.queries.top + (lines.row + 0.5) * self.queries.pitch + shift
        right = self.keys.top + (lines.column + 0.5) * self.keys.pitch + shift
        return left, right

    def in_view(self, lines: Lines) -> Lines:
        """Those with an end in view."""
        rows = (lines.row >= self.queries.first) & (lines.row < self.queries.last)
        columns = (lines.column >= self.keys.first) & (lines.column < self.keys.last)
        return lines if bool((rows & columns).all()) else lines.where(rows | columns)

    def token_at(self, point: QPointF) -> tuple[int | None, int | None] | None:
        """The query (row, None) or the key (None, column) whose label is at a point."""
        if self.labels_left <= point.x() <= self.area.left():
            row = self.queries.at(point.y())
            return None if row is None else (row, None)
        if self.area.right() <= point.x() <= self.labels_right:
            column = self.keys.at(point.y())
            return None if column is None else (None, column)
        return None

    def line_at(self, point: QPointF, lines: Lines) -> tuple[int, int, int] | None:
        """The nearest of some lines at a point as (map, row, column); None if none is near."""
        if not self.area.contains(point) or not len(lines):
            return None
        left, right = self.ends(lines)
        distance = np.abs(left + (right - left) * bend(self._along(point.x())) - point.y())
        distance -= 1e-3 * np.abs(lines.value)  # of two that cross there, the stronger
        nearest = int(np.argmin(distance))
        if distance[nearest] > NEAR * self.scale:
            return None
        return int(lines.place[nearest]), int(lines.row[nearest]), int(lines.column[nearest])

    def label_at(self, point: QPointF) -> AxisLabel | None:
        """The token at a point beside the lines."""
        token = self.token_at(point)
        if token is None:
            return None
        row, column = token
        return self.spec.row_labels[row] if row is not None else self.spec.column_labels[column or 0]

    def _along(self, x: float) -> float:
        """How far the lines have come at an x, as the parameter of their curves, 0 to 1."""
        wanted = (x - self.area.left()) / max(1e-9, self.area.width())
        low, high = 0.0, 1.0
        for _ in range(40):
            half = (low + high) / 2
            # Control points at half the way: x(t) = 3/2 t (1 - t)² + 3/2 t² (1 - t) + t³.
            reached = 1.5 * half * (1 - half) ** 2 + 1.5 * half**2 * (1 - half) + half**3
            low, high = (half, high) if reached < wanted else (low, half)
        return (low + high) / 2


def bend(t: float) -> float:
    """How far a curve has come from its left to its right height at parameter t."""
    return t * t * (3 - 2 * t)


def flow_geometry(figure: FigureSpec[FlowSpec], rect: QRectF, options: DrawOptions) -> FlowGeometry:
    """Lay a flow out so that it fills `rect`; `options.zoom` says which tokens are in view."""
    spec = figure.body
    scale = options.font_scale
    words = place_words(rect, spec.title, spec.kind_name, spec.badges, figure.caption, options)
    room = words.room
    line = line_height(SMALL * scale)
    title = 0.0 if options.compact else line + 4 * scale
    legend = line + 4 * scale
    height = max(1.0, room.height() - title - legend)
    zoom = options.zoom or Zoom.whole(spec.rows, spec.columns)
    pitch_rows, pitch_columns = _pitches(zoom, height, scale)
    window_rows = _window(zoom.first_row, zoom.last_row, spec.rows)
    window_columns = _window(zoom.first_column, zoom.last_column, spec.columns)
    least = options.least_type
    row = row_style(spec.row_labels, window_rows, pitch_rows, _LABELS * room.width(), scale, least)
    keys = _key_style(spec.column_labels, window_columns, pitch_columns, _KEYS * room.width(), scale, least)
    edge = _EDGE * scale
    wide = max(20.0, room.width() - row.extent - keys.extent - 2 * edge)
    high = max(
        (zoom.last_row - zoom.first_row) * pitch_rows, (zoom.last_column - zoom.first_column) * pitch_columns
    )
    wide = min(wide, max(_SLENDEREST * scale, _WIDEST * high))
    left = room.left() + (room.width() - wide - row.extent - keys.extent - 2 * edge) / 2 + row.extent + edge
    area = QRectF(round(left), round(room.top() + title), wide, high)
    queries = _column(zoom.first_row, zoom.last_row, pitch_rows, spec.rows, area, window_rows)
    targets = _column(zoom.first_column, zoom.last_column, pitch_columns, spec.columns, area, window_columns)
    rows, columns = _labels(spec, area, queries, targets, row, keys, edge, room, options)
    return FlowGeometry(
        spec=spec,
        words=words,
        area=area,
        queries=queries,
        keys=targets,
        rows=rows,
        columns=columns,
        titles=() if options.compact else _titles(spec, area, room, scale),
        legend=QRectF(room.left(), area.bottom() + 4 * scale, room.width(), line),
        labels_left=area.left() - edge - row.extent,
        labels_right=area.right() + edge + keys.extent,
        spread=_spread(len(spec.maps), min(pitch_rows, pitch_columns), scale),
        scale=scale,
    )


def flow_height(figure: FigureSpec[FlowSpec], wide: float, options: DrawOptions) -> float:
    """The height at which every token has room for its label, unless a page would be too high."""
    spec, scale = figure.body, options.font_scale
    tall = QRectF(0, 0, wide, 1e6)
    words = place_words(tall, spec.title, spec.kind_name, spec.badges, figure.caption, options)
    line = line_height(SMALL * scale)
    tokens = max(1, spec.rows, spec.columns) * _PAGE_PITCH * scale
    inner = min(tokens, _TALLEST_PAGE * wide) + 2 * line + 8 * scale
    return words.room.top() + inner + tall.bottom() - words.room.bottom()


def line_width(spec: FlowSpec, share: float, pitch: float, scale: float) -> float:
    """Width of a line whose weight is `share` of the scale: in proportion, but never invisible."""
    return max(0.5 * scale, share * widest(spec, pitch, scale))


def widest(spec: FlowSpec, pitch: float, scale: float) -> float:
    """Width of a line of the largest weight."""
    most = 9.0 if len(spec.maps) == 1 else 6.0
    return max(1.5 * scale, min(most * scale, 0.6 * pitch))


def _pitches(zoom: Zoom, height: float, scale: float) -> tuple[float, float]:
    """Distances of queries and of keys: both columns as high, as far as tokens do not get too far apart."""
    rows = max(1e-6, zoom.last_row - zoom.first_row)
    columns = max(1e-6, zoom.last_column - zoom.first_column)
    most = LARGEST_PITCH * scale
    high = min(height, most * max(rows, columns))
    return min(most, high / rows), min(most, high / columns)


def _window(first: float, last: float, count: int) -> tuple[int, int]:
    """Tokens of which some part is in view, half-open."""
    start = min(max(0, math.floor(first + 1e-9)), max(0, count - 1))
    return start, max(start, min(count, math.ceil(last - 1e-9)))


def _column(
    first: float, last: float, pitch: float, count: int, area: QRectF, window: tuple[int, int]
) -> Column:
    spare = max(0.0, area.height() - (last - first) * pitch)
    return Column(area.top() + spare / 2 - first * pitch, pitch, count, *window)


@dataclass(frozen=True)
class _KeyStyle:
    pixels: float
    stride: int
    extent: float


def _key_style(
    labels: tuple[AxisLabel, ...],
    window: tuple[int, int],
    pitch: float,
    most: float,
    scale: float,
    least: float,
) -> _KeyStyle:
    pixels = type_size(pitch, scale, tight=_TIGHT, least=least)
    stride = stride_of(pitch, pixels, tight=_TIGHT)
    drawn = [labels[index] for index in range(-(-window[0] // stride) * stride, window[1], stride)]
    extent = max((width(label.text, pixels, True) for label in drawn), default=0.0)
    return _KeyStyle(pixels, stride, min(extent, max(most, 3 * LABEL * scale)))


def _labels(
    spec: FlowSpec,
    area: QRectF,
    queries: Column,
    targets: Column,
    row: RowStyle,
    keys: _KeyStyle,
    edge: float,
    room: QRectF,
    options: DrawOptions,
) -> tuple[tuple[PlacedLabel, ...], tuple[PlacedLabel, ...]]:
    """Labels of both columns."""
    first = spec.first
    tokens = (options.lit, spec.chosen)
    strong = [token for token, _ in tokens if token is not None]
    if first.step_row is not None:
        strong.append(first.step_row)
    marks = Marks(tuple(strong), first.later_from if first.shown_rows < first.rows else None)
    window = (queries.first, queries.last)
    span = QRectF(area)
    span.setTop(queries.top + queries.first * queries.pitch)
    span.setHeight((queries.last - queries.first) * queries.pitch)
    rows = place_rows(spec.row_labels, window, span, area.left() - edge, row, marks, room.left())
    marks = Marks(tuple(token for _, token in tokens if token is not None), first.later_columns)
    columns = _key_labels(spec, targets, keys, marks, area.right() + edge, room.right())
    return _seen(rows, area), _seen(columns, area)


def _seen(labels: tuple[PlacedLabel, ...], area: QRectF) -> tuple[PlacedLabel, ...]:
    """Those whose middle is in view."""
    return tuple(label for label in labels if area.top() - 1 <= label.origin.y() <= area.bottom() + 1)


def _key_labels(
    spec: FlowSpec, column: Column, style: _KeyStyle, marks: Marks, x: float, right: float
) -> tuple[PlacedLabel, ...]:
    placed = []
    pixels = style.pixels
    for index in chosen(column.first, column.last, style.stride, marks.strong):
        label, strong = spec.column_labels[index], index in marks.strong
        bold = strong and not marks.is_later(index)
        text = "" if marks.is_unknown(index) else label.text
        text = elided(text, pixels, max(style.extent, (right - x) if strong else 0.0), bold)
        role = marks.role(index, quiet=label.dim)
        run = TextRun(text, x, middle(0.0, pixels), pixels, role, bold)
        box = QRectF(x - 4, -0.58 * pixels, width(text, pixels, bold) + 8, 1.16 * pixels)
        placed.append(PlacedLabel(index, (run,), QPointF(0.0, column.y(index)), 0.0, box, strong))
    return tuple(placed)


def _titles(spec: FlowSpec, area: QRectF, room: QRectF, scale: float) -> tuple[TextRun, ...]:
    """Which column is which, above both."""
    pixels = SMALL * scale
    y = middle(room.top() + line_height(pixels) / 2, pixels)
    half = (room.width() - 16 * scale) / 2
    left, right = elided(spec.row_title, pixels, half), elided(spec.column_title, pixels, half)
    x = max(room.left(), min(area.left(), room.center().x() - 8 * scale) - width(left, pixels))
    length = width(right, pixels)
    other = min(max(area.right(), x + width(left, pixels) + 16 * scale), room.right() - length)
    return (TextRun(left, x, y, pixels, "dim"), TextRun(right, other, y, pixels, "dim"))


def _spread(maps: int, pitch: float, scale: float) -> float:
    """Lines of several heads between the same tokens lie side by side."""
    return 0.0 if maps < 2 else min(3.0 * scale, 0.62 * pitch / (maps - 1))
