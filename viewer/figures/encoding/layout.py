"""Layout: where the three pictures of a positional encoding go."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.canvas.frame import ColourBar, Words, bar_width, place_bar, place_words
from viewer.figures.canvas.lettering import LABEL, SMALL, line_height, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.part import PartGeometry
from viewer.figures.encoding.spec import PositionsSpec
from viewer.figures.figure import FigureSpec

SIMILARITY_LEVELS = (-1.0, 1.0)
_WIDE = 1.25


@dataclass(frozen=True)
class PositionsGeometry(PartGeometry):
    """The pictures, placed: the encoding, curves over the positions, and the similarity of positions."""

    spec: PositionsSpec
    words: Words
    encoding: QRectF
    curves: QRectF
    similarity: QRectF
    encoding_bar: ColourBar
    similarity_bar: ColourBar
    scale: float

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """The (position, dimension) at a point of the heatmap."""
        return _cell(self.encoding, point, *self.spec.encoding.shape)

    def similarity_at(self, point: QPointF) -> tuple[int, int] | None:
        """The two positions at a point of the similarity map."""
        return _cell(self.similarity, point, *self.spec.similarity.shape)

    def sentence_at(self, point: QPointF) -> str:
        """What there is to say of what is at a point."""
        cell, pair = self.cell_at(point), self.similarity_at(point)
        if cell is not None:
            return self.spec.sentence(*cell)
        return "" if pair is None else self.spec.pair_sentence(*pair)


def positions_geometry(
    figure: FigureSpec[PositionsSpec], rect: QRectF, options: DrawOptions
) -> PositionsGeometry:
    """Lay the pictures out: heatmap above curves with the similarity beside them, or all below each other."""
    spec, scale = figure.body, options.font_scale
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    room = words.room
    gap = 18 * scale
    if room.width() > _WIDE * room.height():
        left = QRectF(room.left(), room.top(), 0.58 * (room.width() - gap), room.height())
        above = 0.56 * (room.height() - gap)
        boxes = [
            QRectF(left.left(), left.top(), left.width(), above),
            QRectF(left.left(), left.top() + above + gap, left.width(), room.height() - above - gap),
            QRectF(left.right() + gap, room.top(), room.width() - left.width() - gap, room.height()),
        ]
    else:
        high = (room.height() - 2 * gap) / 3
        boxes = [QRectF(room.left(), room.top() + n * (high + gap), room.width(), high) for n in range(3)]
    encoding_bar_width = bar_width(spec.levels, sqrt_scale=False, scale=scale)
    similarity_bar_width = bar_width(SIMILARITY_LEVELS, sqrt_scale=False, scale=scale)
    encoding = _inner(boxes[0], spec, encoding_bar_width, scale)
    curves = _inner(boxes[1], spec, encoding_bar_width, scale)
    similarity = _inner(boxes[2], spec, similarity_bar_width, scale)
    side = min(similarity.width(), similarity.height())
    similarity.setSize(QRectF(0, 0, side, side).size())
    return PositionsGeometry(
        spec,
        words,
        encoding,
        curves,
        similarity,
        _bar(encoding, spec.levels, encoding_bar_width, scale),
        _bar(similarity, SIMILARITY_LEVELS, similarity_bar_width, scale),
        scale,
    )


def positions_height(figure: FigureSpec[PositionsSpec], width: float, options: DrawOptions) -> float:
    """A height that gives each picture a good shape."""
    spec = figure.body
    tall = QRectF(0, 0, width, 1e6)
    words = place_words(tall, spec.title, "", spec.badges, figure.caption, options)
    # Too narrow for two beside each other: three below each other.
    share = 0.62 if width > 500 * options.font_scale else 1.6
    return words.room.top() + share * width + tall.bottom() - words.room.bottom()


def _inner(box: QRectF, spec: PositionsSpec, bar: float, scale: float) -> QRectF:
    """A box without its heading (above), axis title and numbers (left and below) and colour bar (right)."""
    line = line_height(SMALL * scale)
    numbers = max(width(text, SMALL * scale) for text in (str(len(spec.encoding)), "-0.5"))
    return box.adjusted(
        line + 4 * scale + numbers + 6 * scale,
        line_height(LABEL * scale) + 6 * scale,
        -bar,
        -(2 * line + 6 * scale),
    )


def _bar(area: QRectF, levels: tuple[float, float], room: float, scale: float) -> ColourBar:
    beside = QRectF(area.right(), area.top(), room, area.height())
    return place_bar(beside, levels, sqrt_scale=False, scale=scale)


def _cell(area: QRectF, point: QPointF, rows: int, columns: int) -> tuple[int, int] | None:
    if not area.contains(point) or point.x() >= area.right() or point.y() >= area.bottom():
        return None
    row = int((point.y() - area.top()) * rows / area.height())
    column = int((point.x() - area.left()) * columns / area.width())
    return min(row, rows - 1), min(column, columns - 1)
