"""Layout: where the plots of two bases and the table of their numbers go."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF

from viewer.document.positions.positions_table import SLIP_BASE, grouped
from viewer.figures.bases.spec import BaseNumbers, BasesSpec
from viewer.figures.canvas.frame import Words, place_words
from viewer.figures.canvas.lettering import LABEL, TextRun, elided, line_height, middle, width
from viewer.figures.canvas.numerals import significant
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.part import PartGeometry
from viewer.figures.canvas.plot import Axis, Plot, Series, place_plot, span
from viewer.figures.canvas.plot_pair import plot_boxes
from viewer.figures.figure import FigureSpec

_GAP = 28  # between the columns of a table

Row = tuple[str, str, str]


@dataclass(frozen=True)
class BasesGeometry(PartGeometry):
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


def bases_geometry(figure: FigureSpec[BasesSpec], rect: QRectF, options: DrawOptions) -> BasesGeometry:
    """Lay out two plots beside or below each other, and the table of numbers below them."""
    spec, scale = figure.body, options.font_scale
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    line = 1.25 * line_height(LABEL * scale)
    rows = _rows(spec)
    tall = min(_table_lines(rows, words.room.width(), scale) * line, 0.45 * words.room.height())
    first, second, foot = plot_boxes(words.room, tall, scale)
    translate, sides = QCoreApplication.translate, spec.sides
    names = [_name(side) for side in sides]
    ends = [float(side.wavelengths[-1]) for side in sides]
    wavelengths = place_plot(
        first,
        translate("Figure", "Positions that each pair takes to turn once"),
        Axis(0, max(1, spec.dimensions // 2 - 1), translate("Figure", "pair")),
        Axis(5.0, max(10.0, *ends) * 1.1, translate("Figure", "wavelength (log scale)"), log=True),
        [Series(s.wavelengths.tolist(), n, i) for i, (s, n) in enumerate(zip(sides, names, strict=True))],
        scale,
    )
    low, high = span(*(side.cosine.tolist() for side in sides))
    similarity = place_plot(
        second,
        translate("Figure", "Similarity of positions k apart: cosine"),
        Axis(0, max(1, spec.count - 1), translate("Figure", "offset k")),
        Axis(low, high, translate("Figure", "cosine similarity")),
        [Series(s.cosine.tolist(), n, i) for i, (s, n) in enumerate(zip(sides, names, strict=True))],
        scale,
    )
    runs, lines = _table(rows, foot, scale)
    return BasesGeometry(spec, words, wavelengths, similarity, tuple(runs), tuple(lines), scale)


def _name(side: BaseNumbers) -> str:
    translate = QCoreApplication.translate
    if side.base == SLIP_BASE:
        return translate("Figure", "base 1000 (a misprint)")
    return translate("Figure", "base {base}").format(base=grouped(side.base).replace(",", ""))


def _rows(spec: BasesSpec) -> list[Row]:
    """The table: what it is, and its number with either base."""
    translate, (first, second) = QCoreApplication.translate, spec.sides
    near = translate("Figure", "{distance} ({apart} apart)")
    smallest = translate("Figure", "Smallest distance among the first {count} positions")
    turning = translate("Figure", "Pairs that complete a turn within them")
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
