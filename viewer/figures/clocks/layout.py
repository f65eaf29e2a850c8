"""Layout: where the plot of wavelengths goes, and the clocks of the pairs beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF

from viewer.figures.canvas.frame import Words, place_words
from viewer.figures.canvas.lettering import LABEL, SMALLEST, TextRun, line_height
from viewer.figures.canvas.notes import notes_height, place_notes
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.part import PartGeometry
from viewer.figures.canvas.plot import Axis, Plot, Series, place_plot
from viewer.figures.clocks.spec import ClocksSpec
from viewer.figures.figure import FigureSpec

_LEAST_CLOCK = 20.0
_NUMBERED_CLOCK = 40.0
_WIDE = 1.15


@dataclass(frozen=True)
class Clocks:
    """A grid of clocks, placed.

    Attributes:
        pairs: which are drawn, all or every n-th.
        cells: their places.
        numbered: whether their numbers have room.
    """

    heading: QRectF
    pairs: tuple[int, ...]
    cells: tuple[QRectF, ...]
    numbered: bool


@dataclass(frozen=True)
class ClocksGeometry(PartGeometry):
    """The plot, the clocks and the sentences, placed."""

    spec: ClocksSpec
    words: Words
    plot: Plot
    clocks: Clocks
    notes: tuple[TextRun, ...]
    scale: float

    def pair_at(self, point: QPointF) -> int | None:
        """The pair whose clock, or whose place in the plot, is at a point."""
        for pair, cell in zip(self.clocks.pairs, self.clocks.cells, strict=True):
            if cell.contains(point):
                return pair
        return self.plot.index_at(point)

    def sentence_at(self, point: QPointF) -> str:
        """What there is to say of what is at a point."""
        pair = self.pair_at(point)
        return "" if pair is None else self.spec.sentence(pair)


def clocks_geometry(figure: FigureSpec[ClocksSpec], rect: QRectF, options: DrawOptions) -> ClocksGeometry:
    """Lay out plot and sentences beside the clocks, or above them."""
    spec, scale = figure.body, options.font_scale
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    room, gap = words.room, 24 * scale
    if room.width() > _WIDE * room.height():
        left = QRectF(room.left(), room.top(), 0.42 * (room.width() - gap), room.height())
        right = QRectF(left.right() + gap, room.top(), room.right() - left.right() - gap, room.height())
    else:
        left = QRectF(room.left(), room.top(), room.width(), 0.5 * (room.height() - gap))
        right = QRectF(room.left(), left.bottom() + gap, room.width(), room.bottom() - left.bottom() - gap)
    texts = (spec.formula(), spec.sentence(spec.pair))
    tall = min(notes_height(texts, left.width(), scale), 0.45 * left.height())
    foot = QRectF(left.left(), left.bottom() - tall, left.width(), tall)
    above = QRectF(left.left(), left.top(), left.width(), max(0.0, left.height() - tall - 10 * scale))
    notes = tuple(place_notes(foot, texts, scale, ("dim", "text")))
    return ClocksGeometry(spec, words, _plot(spec, above, scale), _clocks(spec, right, scale), notes, scale)


def clocks_height(figure: FigureSpec[ClocksSpec], width: float, options: DrawOptions) -> float:
    """A height that gives clocks a good size."""
    tall = QRectF(0, 0, width, 1e6)
    words = place_words(tall, figure.body.title, "", figure.body.badges, figure.caption, options)
    share = 0.5 if width > 700 * options.font_scale else 1.5
    return words.room.top() + share * width + tall.bottom() - words.room.bottom()


def _plot(spec: ClocksSpec, rect: QRectF, scale: float) -> Plot:
    translate = QCoreApplication.translate
    values = spec.wavelengths.tolist()
    finite = [value for value in values if math.isfinite(value)] or [1.0]  # scaling may leave no order
    low, high = 10 ** math.floor(math.log10(min(finite))), 10 ** math.ceil(math.log10(max(finite)) + 1e-9)
    return place_plot(
        rect,
        translate("Figure", "Positions that each pair takes to turn once"),
        Axis(0, max(1, spec.pairs - 1), translate("Figure", "pair")),
        Axis(low, high, translate("Figure", "wavelength (log scale)"), log=True),
        [Series(values, "", 0, dots=True)],
        scale,
    )


def _clocks(spec: ClocksSpec, rect: QRectF, scale: float) -> Clocks:
    heading = QRectF(rect.left(), rect.top(), rect.width(), line_height(LABEL * scale))
    room = rect.adjusted(0, heading.height() + 8 * scale, 0, 0)
    if room.width() <= 0 or room.height() <= 0:
        return Clocks(heading, (), (), False)
    every = 1
    while _side(-(-spec.pairs // every), room)[0] < _LEAST_CLOCK * scale and every < spec.pairs:
        every += 1
    pairs = tuple(range(0, spec.pairs, every))
    side, columns = _side(len(pairs), room)
    numbered = side >= _NUMBERED_CLOCK * scale
    # A little broader than high with a number below each, and never so large that few clocks look lost.
    side = min(side, 120 * scale)
    across = min(room.width() / columns, 1.25 * side)
    cells = tuple(
        QRectF(room.left() + (n % columns) * across, room.top() + (n // columns) * side, across, side)
        for n in range(len(pairs))
    )
    return Clocks(heading, pairs, cells, numbered)


def _side(count: int, room: QRectF) -> tuple[float, int]:
    """The largest squares that fit so often into `room`, and how many stand in a row."""
    best = (0.0, 1)
    for columns in range(1, count + 1):
        side = min(room.width() / columns, room.height() / -(-count // columns))
        best = max(best, (side, columns))
    return best


def face(cell: QRectF, numbered: bool, scale: float) -> tuple[QPointF, float]:
    """Centre and radius of the clock in a cell, whose number stands below it."""
    below = line_height(SMALLEST * scale) if numbered else 0.0
    radius = max(1.0, (min(cell.width(), cell.height() - below) / 2) - 2.5 * scale)
    return QPointF(cell.center().x(), cell.top() + (cell.height() - below) / 2), radius
