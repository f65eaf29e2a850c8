"""Where the plots of similarity and distance go, of one encoding and of two bases."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF

from viewer.drawing.furniture import Words, place_words
from viewer.drawing.lettering import LABEL, TextRun, elided, line_height, middle, width
from viewer.drawing.notes import notes_height, place_notes
from viewer.drawing.options import DrawOptions
from viewer.drawing.plot import Axis, Plot, Series, place_plot, span
from viewer.state.figure import FigureSpec
from viewer.state.positions_specs import BaseNumbers, BasesSpec, DistanceSpec, significant
from viewer.state.positions_table import SLIP_BASE, grouped

_WIDE = 1.15
_GAP = 28  # between the columns of a table

Row = tuple[str, str, str]


@dataclass(frozen=True)
class DistanceGeometry:
    """Similarity by offset, distances by position, and the sentences, placed."""

    spec: DistanceSpec
    words: Words
    by_offset: Plot
    by_position: Plot
    notes: tuple[TextRun, ...]
    scale: float

    def offset_at(self, point: QPointF) -> int | None:
        """The offset whose place in the first plot is at a point."""
        return self.by_offset.index_at(point)

    def sentence_at(self, point: QPointF) -> str:
        """What there is to say of what is at a point."""
        offset, position = self.by_offset.index_at(point), self.by_position.index_at(point)
        if offset is not None:
            return self.spec.offset_sentence(offset)
        return "" if position is None else self.spec.position_sentence(position)


@dataclass(frozen=True)
class BasesGeometry:
    """Wavelengths and similarity with both bases, and a table of numbers, placed."""

    spec: BasesSpec
    words: Words
    wavelengths: Plot
    similarity: Plot
    table: tuple[TextRun, ...]
    lines: tuple[float, ...]
    scale: float

    def offset_at(self, point: QPointF) -> int | None:
        """The offset whose place in the plot of similarity is at a point."""
        return self.similarity.index_at(point)

    def pair_at(self, point: QPointF) -> int | None:
        """The pair whose place in the plot of wavelengths is at a point."""
        return self.wavelengths.index_at(point)

    def sentence_at(self, point: QPointF) -> str:
        """What there is to say of what is at a point."""
        pair, offset = self.pair_at(point), self.offset_at(point)
        if pair is not None:
            return self.spec.pair_sentence(pair)
        return "" if offset is None else self.spec.offset_sentence(offset)


def distance_geometry(figure: FigureSpec, rect: QRectF, options: DrawOptions) -> DistanceGeometry:
    """Lay out two plots beside or below each other, and the sentences below them."""
    spec, scale = figure.body, options.font_scale
    assert isinstance(spec, DistanceSpec)
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    texts = _distance_notes(spec)
    tall = min(notes_height(texts, words.room.width(), scale), 0.4 * words.room.height())
    first, second, foot = _boxes(words.room, tall, scale)
    translate, found = QCoreApplication.translate, spec.by_offset
    curves = [Series(found.mean.tolist(), translate("Figure", "mean over positions"), 0)]
    if spec.exact is not None:
        curves.append(Series(spec.exact.tolist(), translate("Figure", "Σ cos(ω_i k)"), 1))
    low, high = span(found.low.tolist(), found.high.tolist())
    end = max(1, spec.count - 1)
    by_offset = place_plot(
        first,
        translate("Figure", "How alike positions k apart are: PE(pos) · PE(pos + k)"),
        Axis(0, end, translate("Figure", "offset k")),
        Axis(low, high, translate("Figure", "dot product")),
        curves,
        scale,
    )
    near, norms = spec.nearest.by_position.tolist(), spec.norms.tolist()
    by_position = place_plot(
        second,
        translate("Figure", "How far each position is from the one nearest to it"),
        Axis(0, end, translate("Figure", "position")),
        Axis(*span(near, norms, zero=True), translate("Figure", "Euclidean length")),
        [
            Series(near, translate("Figure", "distance to the nearest"), 0),
            Series(norms, translate("Figure", "norm of PE(pos)"), 1),
        ],
        scale,
    )
    return DistanceGeometry(
        spec, words, by_offset, by_position, tuple(place_notes(foot, texts, scale)), scale
    )


def bases_geometry(figure: FigureSpec, rect: QRectF, options: DrawOptions) -> BasesGeometry:
    """Lay out two plots beside or below each other, and the table of numbers below them."""
    spec, scale = figure.body, options.font_scale
    assert isinstance(spec, BasesSpec)
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    line = 1.25 * line_height(LABEL * scale)
    rows = _rows(spec)
    tall = min(_table_lines(rows, words.room.width(), scale) * line, 0.45 * words.room.height())
    first, second, foot = _boxes(words.room, tall, scale)
    translate, sides = QCoreApplication.translate, spec.sides
    names = [_name(side) for side in sides]
    ends = [float(side.wavelengths[-1]) for side in sides]
    wavelengths = place_plot(
        first,
        translate("Figure", "Positions that a pair takes to turn once"),
        Axis(0, max(1, spec.dimensions // 2 - 1), translate("Figure", "pair")),
        Axis(5.0, max(10.0, *ends) * 1.1, translate("Figure", "wavelength (log scale)"), log=True),
        [Series(s.wavelengths.tolist(), n, i) for i, (s, n) in enumerate(zip(sides, names, strict=True))],
        scale,
    )
    low, high = span(*(side.cosine.tolist() for side in sides))
    similarity = place_plot(
        second,
        translate("Figure", "How alike positions k apart are: cosine"),
        Axis(0, max(1, spec.count - 1), translate("Figure", "offset k")),
        Axis(low, high, translate("Figure", "cosine similarity")),
        [Series(s.cosine.tolist(), n, i) for i, (s, n) in enumerate(zip(sides, names, strict=True))],
        scale,
    )
    runs, lines = _table(rows, foot, scale)
    return BasesGeometry(spec, words, wavelengths, similarity, tuple(runs), tuple(lines), scale)


def plots_height(figure: FigureSpec, width: float, options: DrawOptions) -> float:
    """A height that gives two plots and what stands below them a good shape."""
    body = figure.body
    tall = QRectF(0, 0, width, 1e6)
    words = place_words(tall, body.title, "", body.badges, figure.caption, options)
    share = 0.45 if width > 700 * options.font_scale else 1.4
    return words.room.top() + share * width + tall.bottom() - words.room.bottom()


def _boxes(room: QRectF, foot: float, scale: float) -> tuple[QRectF, QRectF, QRectF]:
    gap = 24 * scale
    plots = room.adjusted(0, 0, 0, -min(room.height(), foot + 14 * scale))
    below = QRectF(room.left(), room.bottom() - foot, room.width(), foot)
    if room.width() > _WIDE * room.height():
        half = max(0.0, (plots.width() - gap) / 2)
        first = QRectF(plots.left(), plots.top(), half, plots.height())
        return first, first.translated(half + gap, 0), below
    half = max(0.0, (plots.height() - gap) / 2)
    first = QRectF(plots.left(), plots.top(), plots.width(), half)
    return first, first.translated(0, half + gap), below


def _distance_notes(spec: DistanceSpec) -> list[str]:
    translate = QCoreApplication.translate
    texts = []
    if spec.nearest.pair is not None:
        first, second = spec.nearest.pair
        if spec.nearest.distance > 0:
            text = translate(
                "Figure",
                "Smallest distance between any two of the {count} positions: {distance}, between {first} and "
                "{second}. Every position can be told from every other.",
            )
        else:
            text = translate(
                "Figure",
                "Positions {first} and {second} have the same vector: the model cannot tell them apart.",
            )
        texts.append(
            text.format(
                count=f"{spec.count:,}", distance=f"{spec.nearest.distance:.4f}", first=first, second=second
            )
        )
    if spec.exact is not None:
        texts.append(
            translate(
                "Figure",
                "Of sinusoids the dot product is Σ cos(ω_i k), whatever pos is: it says how far apart two "
                "positions stand, not where.",
            )
        )
    else:
        texts.append(
            translate(
                "Figure",
                "Learned positions owe nothing to a formula: the band shows how much the dot product at one "
                "offset differs from position to position.",
            )
        )
    texts.append(spec.offset_sentence(spec.offset))
    return texts


def _name(side: BaseNumbers) -> str:
    translate = QCoreApplication.translate
    if side.base == SLIP_BASE:
        return translate("Figure", "base 1000 (the notes' slip)")
    return translate("Figure", "base {base}").format(base=grouped(side.base).replace(",", ""))


def _rows(spec: BasesSpec) -> list[Row]:
    """The table: what it is, and its number with either base."""
    translate, (first, second) = QCoreApplication.translate, spec.sides
    near = translate("Figure", "{distance} ({apart} apart)")
    smallest = translate("Figure", "Smallest distance among the first {count} positions")
    turning = translate("Figure", "Pairs that turn at least once within them")
    paper = translate("Figure", "{name} (the paper's)").format(name=_name(first))
    return [
        ("", paper, _name(second)),
        (
            translate("Figure", "Longest wavelength, in positions"),
            significant(first.longest),
            significant(second.longest),
        ),
        (
            smallest.format(count=f"{spec.count:,}"),
            near.format(distance=significant(first.smallest), apart=first.apart),
            near.format(distance=significant(second.smallest), apart=second.apart),
        ),
        (turning, _of(first.turning, spec), _of(second.turning, spec)),
    ]


def _of(count: int, spec: BasesSpec) -> str:
    text = QCoreApplication.translate("Figure", "{count} of {all}")
    return text.format(count=count, all=spec.dimensions // 2)


def _columns(rows: list[Row], room: float, scale: float) -> tuple[float, float, float, bool]:
    """Width for the names, and of both columns of numbers; whether each name stands on a line of its own."""
    pixels, gap = LABEL * scale, _GAP * scale
    names, *wide = (max(width(row[column], pixels, row is rows[0]) for row in rows) for column in (0, 1, 2))
    first, second = (min(each + 1, max(0.0, (room - gap) / 2)) for each in wide)
    spare = room - 2 * gap - first - second
    if spare < names:
        return room, first, second, True
    return names + 1, first, second, False


def _table_lines(rows: list[Row], room: float, scale: float) -> int:
    """How many lines the table takes; the heading's row has no name."""
    return 2 * len(rows) - 1 if _columns(rows, room, scale)[3] else len(rows)


def _table(rows: list[Row], rect: QRectF, scale: float) -> tuple[list[TextRun], list[float]]:
    """The rows' texts, and the heights of the lines between them."""
    pixels, gap = LABEL * scale, _GAP * scale
    names, first, second, stacked = _columns(rows, rect.width(), scale)
    line = min(1.25 * line_height(pixels), rect.height() / _table_lines(rows, rect.width(), scale))
    left = 0.0 if stacked else names + gap
    places = ((0.0, names), (left, first), (left + first + gap, second))
    runs, lines = [], []
    at = 0
    for index, row in enumerate(rows):
        if index:
            lines.append(rect.top() + at * line)
        for column, (text, (x, room)) in enumerate(zip(row, places, strict=True)):
            below = at + (1 if stacked and index and column else 0)
            y, bold = middle(rect.top() + (below + 0.5) * line, pixels), index == 0
            shown, role = elided(text, pixels, room, bold), "text" if column else "dim"
            runs.append(TextRun(shown, rect.left() + x, y, pixels, role, bold))
        at += 2 if stacked and index else 1
    return runs, lines
