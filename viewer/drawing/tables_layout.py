"""Where two maps, a plot and sentences go: angles of rotations, and biases by distance."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF

from viewer.drawing.furniture import ColourBar, Words, bar_width, place_bar, place_words
from viewer.drawing.lettering import LABEL, SMALL, TextRun, line_height, width
from viewer.drawing.notes import notes_height, place_notes
from viewer.drawing.options import DrawOptions
from viewer.drawing.plot import Axis, Plot, Series, place_plot, span
from viewer.state.bias_figure import BiasSpec, added_to_scores
from viewer.state.figure import FigureSpec
from viewer.state.figure_text import sentence
from viewer.state.head_grid import Mask, Matrix
from viewer.state.rotary_figures import nothing_added
from viewer.state.rotary_specs import AnglesSpec

_WIDE = 1.25


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


@dataclass(frozen=True, eq=False)
class TablesGeometry:
    """Both maps, the plot below the first, and the sentences, placed."""

    spec: AnglesSpec | BiasSpec
    words: Words
    maps: tuple[PlacedMap, PlacedMap]
    plot: Plot
    notes: tuple[TextRun, ...]
    scale: float

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """Position and pair at a point of either map of angles; head and column of a map of biases."""
        found = self.maps[0].cell_at(point)
        if found is None and isinstance(self.spec, AnglesSpec):
            found = self.maps[1].cell_at(point)
        return found

    def pair_at(self, point: QPointF) -> int | None:
        """The pair at a point of a map of angles."""
        cell = self.cell_at(point)
        return cell[1] if cell is not None and isinstance(self.spec, AnglesSpec) else None

    def head_at(self, point: QPointF) -> int | None:
        """The head at a point of a map of biases."""
        cell = self.cell_at(point)
        return cell[0] if cell is not None and isinstance(self.spec, BiasSpec) else None

    def sentence_at(self, point: QPointF) -> str:
        """What there is to say of what is at a point."""
        spec, cell, index = self.spec, self.cell_at(point), self.plot.index_at(point)
        if isinstance(spec, AnglesSpec):
            if cell is not None:
                return spec.sentence(*cell)
            return "" if index is None else spec.distance_sentence(index)
        if cell is not None:
            return spec.offset_sentence(cell[0], int(spec.offsets[cell[1]]))
        if index is not None:
            return spec.offset_sentence(spec.head, index)
        pair = self.maps[1].cell_at(point)
        return "" if pair is None else spec.cell_sentence(*pair)


def tables_geometry(figure: FigureSpec, rect: QRectF, options: DrawOptions) -> TablesGeometry:
    """Lay the pictures out: the first map above the plot with the second map beside, or all below another."""
    spec, scale = figure.body, options.font_scale
    assert isinstance(spec, AnglesSpec | BiasSpec)
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    texts = _notes(spec)
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
    if isinstance(spec, AnglesSpec):
        first, second, plot = *_angle_maps(spec), _angle_plot(spec, boxes[1], scale)
    else:
        first, second, plot = *_bias_maps(spec), _bias_plot(spec, boxes[1], scale)
    maps = _place(first, boxes[0], scale), _place(second, boxes[2], scale)
    notes = tuple(place_notes(foot, texts, scale, ("dim", "text")))
    return TablesGeometry(spec, words, maps, plot, notes, scale)


def tables_height(figure: FigureSpec, width: float, options: DrawOptions) -> float:
    """A height that gives each picture a good shape."""
    body = figure.body
    tall = QRectF(0, 0, width, 1e6)
    words = place_words(tall, body.title, "", body.badges, figure.caption, options)
    share = 0.62 if width > 500 * options.font_scale else 1.7
    return words.room.top() + share * width + tall.bottom() - words.room.bottom()


def _notes(spec: AnglesSpec | BiasSpec) -> list[str]:
    translate = QCoreApplication.translate
    if isinstance(spec, AnglesSpec):
        return [sentence(nothing_added())]
    count = len(set(spec.buckets.tolist()))
    text = translate("Figure", "Lines between offsets: another bucket begins; {count} are in use.")
    return [sentence(added_to_scores()), text.format(count=count)]


def _angle_maps(spec: AnglesSpec) -> tuple[MapPart, MapPart]:
    translate = QCoreApplication.translate
    pair, position = translate("Figure", "pair"), translate("Figure", "position")
    levels = (-1.0, 1.0)
    return (
        MapPart(translate("Figure", "cos p ω_i"), spec.cosines, levels, (pair, 0), (position, 0)),
        MapPart(translate("Figure", "sin p ω_i"), spec.sines, levels, (pair, 0), (position, 0)),
    )


def _angle_plot(spec: AnglesSpec, rect: QRectF, scale: float) -> Plot:
    translate = QCoreApplication.translate
    name = translate("Figure", "pair {pair}")
    found = [Series(spec.mean.tolist(), translate("Figure", "mean of all"), 0)]
    for index, pair in enumerate(spec.curves):
        found.append(Series(spec.cosines[:, pair].tolist(), name.format(pair=pair), index + 1))
    return place_plot(
        rect,
        translate("Figure", "Likeness k positions apart: cos k ω_i"),
        Axis(0, max(1, len(spec.mean) - 1), translate("Figure", "distance k")),
        Axis(-1.0, 1.0, translate("Figure", "cosine")),
        found,
        scale,
    )


def _bias_maps(spec: BiasSpec) -> tuple[MapPart, MapPart]:
    translate = QCoreApplication.translate
    offset = translate("Figure", "key position − query position")
    square = translate("Figure", "Head {head}, query × key").format(head=spec.head + 1)
    return (
        MapPart(
            translate("Figure", "Added to the scores, by head and distance"),
            spec.bias,
            spec.levels,
            (offset, int(spec.offsets[0])),
            (translate("Figure", "head"), 1),
            marked=spec.head,
        ),
        MapPart(
            square,
            spec.square,
            spec.levels,
            (translate("Figure", "key"), 0),
            (translate("Figure", "query"), 0),
            masked=None if not spec.masked.any() else spec.masked,
            square=True,
        ),
    )


def _bias_plot(spec: BiasSpec, rect: QRectF, scale: float) -> Plot:
    translate, first = QCoreApplication.translate, int(spec.offsets[0])
    heading = translate("Figure", "Head {head}, and the other heads in grey").format(head=spec.head + 1)
    low, high = span(*spec.bias.tolist(), zero=True)
    return place_plot(
        rect,
        heading,
        Axis(
            first, max(first + 1, int(spec.offsets[-1])), translate("Figure", "key position − query position")
        ),
        Axis(low, max(0.0, high), translate("Figure", "added to the score")),
        [Series(spec.bias[spec.head].tolist(), "", 0, first=first)],
        scale,
    )


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
