"""Tables: two maps of numbers, a plot and sentences, wherever a picture of positions is made of these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.canvas.frame import ColourBar, Words, bar_width, place_bar, place_words
from viewer.figures.canvas.lettering import LABEL, SMALL, TextRun, line_height, width
from viewer.figures.canvas.matrix import Mask, Matrix
from viewer.figures.canvas.notes import notes_height, place_notes
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.part import PartGeometry
from viewer.figures.canvas.plot import Plot
from viewer.figures.figure import AnyFigure, Body

_WIDE = 1.25


def cell_of(box: QRectF, row: int, column: int, shape: tuple[int, ...]) -> QRectF:
    """Where a cell of a map is that fills a box."""
    wide, high = box.width() / shape[1], box.height() / shape[0]
    return QRectF(box.left() + column * wide, box.top() + row * high, wide, high)


@dataclass(frozen=True, eq=False)
class MapPart:
    """A map before it is placed: its numbers, and what its axes count from where.

    Attributes:
        across, down: title and first number of the columns and of the rows.
        masked: cells that do not exist, hatched.
        marked: a row that is framed.
        square: cells are as wide as high.
    """

    heading: str
    matrix: Matrix
    levels: tuple[float, float]
    across: tuple[str, int]
    down: tuple[str, int]
    masked: Mask | None = None
    marked: int | None = None
    square: bool = False


@dataclass(frozen=True, eq=False)
class PlacedMap:
    """A map, placed."""

    part: MapPart
    box: QRectF
    bar: ColourBar

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """The (row, column) at a point."""
        box, (rows, columns) = self.box, self.part.matrix.shape
        if not box.contains(point) or point.x() >= box.right() or point.y() >= box.bottom():
            return None
        row = int((point.y() - box.top()) * rows / box.height())
        column = int((point.x() - box.left()) * columns / box.width())
        return min(row, rows - 1), min(column, columns - 1)

    def rect_of(self, row: int, column: int) -> QRectF:
        """Where a cell is drawn."""
        return cell_of(self.box, row, column, self.part.matrix.shape)


@dataclass(frozen=True, eq=False)
class Tables:
    """Both maps, the plot below the first, and the sentences, placed."""

    words: Words
    maps: tuple[PlacedMap, PlacedMap]
    plot: Plot
    notes: tuple[TextRun, ...]
    scale: float


@dataclass(frozen=True, eq=False)
class TablesGeometry(PartGeometry):
    """The parts of a picture of tables; its kind says what is at a point of them."""

    spec: Body
    tables: Tables

    @property
    def maps(self) -> tuple[PlacedMap, PlacedMap]:
        """Both maps."""
        return self.tables.maps

    @property
    def plot(self) -> Plot:
        """The plot below the first."""
        return self.tables.plot

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """The row and column at a point of the first map."""
        return self.tables.maps[0].cell_at(point)


def place_tables(
    figure: AnyFigure,
    rect: QRectF,
    options: DrawOptions,
    parts: tuple[MapPart, MapPart],
    plot: Callable[[QRectF, float], Plot],
    texts: Sequence[str],
) -> Tables:
    """Lay the pictures out: the first map above the plot with the second map beside, or all below another.

    Args:
        plot: places the plot in its box, at a scale.
        texts: sentences below.
    """
    spec, scale = figure.body, options.font_scale
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    tall = min(notes_height(texts, words.room.width(), scale), 0.3 * words.room.height())
    foot = QRectF(words.room.left(), words.room.bottom() - tall, words.room.width(), tall)
    room = words.room.adjusted(0, 0, 0, -min(words.room.height(), tall + 10 * scale))
    gap = 18 * scale
    if room.width() > _WIDE * room.height():
        left = QRectF(room.left(), room.top(), 0.56 * (room.width() - gap), room.height())
        above = max(0.0, 0.5 * (room.height() - gap))
        boxes = [
            QRectF(left.left(), left.top(), left.width(), above),
            QRectF(left.left(), left.top() + above + gap, left.width(), above),
            QRectF(left.right() + gap, room.top(), room.width() - left.width() - gap, room.height()),
        ]
    else:
        high = max(0.0, (room.height() - 2 * gap) / 3)
        boxes = [QRectF(room.left(), room.top() + n * (high + gap), room.width(), high) for n in range(3)]
    maps = _place(parts[0], boxes[0], scale), _place(parts[1], boxes[2], scale)
    notes = tuple(place_notes(foot, texts, scale, ("dim", "text")))
    return Tables(words, maps, plot(boxes[1], scale), notes, scale)


def tables_height(figure: AnyFigure, width: float, options: DrawOptions) -> float:
    """A height that gives each picture a good shape."""
    body = figure.body
    tall = QRectF(0, 0, width, 1e6)
    words = place_words(tall, body.title, "", body.badges, figure.caption, options)
    share = 0.62 if width > 500 * options.font_scale else 1.7
    return words.room.top() + share * width + tall.bottom() - words.room.bottom()


def _place(part: MapPart, box: QRectF, scale: float) -> PlacedMap:
    """A box without its heading, axis title and numbers (left and below) and colour bar (right)."""
    line, bar = line_height(SMALL * scale), bar_width(part.levels, sqrt_scale=False, scale=scale)
    last = max(abs(part.down[1]), part.down[1] + part.matrix.shape[0])
    inner = box.adjusted(
        line + 10 * scale + width(str(last), SMALL * scale),
        line_height(LABEL * scale) + 6 * scale,
        -bar,
        -(2 * line + 6 * scale),
    )
    inner = QRectF(inner.left(), inner.top(), max(1.0, inner.width()), max(1.0, inner.height()))
    if part.square:
        side = min(inner.width(), inner.height())
        inner = QRectF(inner.left(), inner.top(), side, side)
    beside = QRectF(inner.right(), inner.top(), bar, inner.height())
    return PlacedMap(part, inner, place_bar(beside, part.levels, sqrt_scale=False, scale=scale))
