"""Layout of a rotation: its circle, the matrix with its numbers, the circles of other pairs."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.canvas.frame import Words, place_words
from viewer.figures.canvas.lettering import LABEL, SMALL, TITLE, TextRun, line_height, middle, width
from viewer.figures.canvas.notes import notes_height, place_notes
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.part import PartGeometry
from viewer.figures.figure import FigureSpec
from viewer.figures.rotation.spec import RotationSpec

_WIDE = 1.0
_STRIP = 300.0  # height from which there is room for circles of other pairs
_EQUATION = 16.0  # height of the matrices' type
_GAP = 8.0  # between a bracket and what stands in it


@dataclass(frozen=True)
class Brackets:
    """A matrix, placed: its brackets' box and its entries."""

    box: QRectF
    runs: tuple[TextRun, ...]


@dataclass(frozen=True)
class RotationGeometry(PartGeometry):
    """The picture's parts, placed; `strip` has a cell for each pair of `spec.shown`, or none has room."""

    spec: RotationSpec
    words: Words
    circle: QRectF
    brackets: tuple[Brackets, ...]
    runs: tuple[TextRun, ...]
    strip_heading: QRectF
    strip: tuple[tuple[int, QRectF], ...]
    scale: float

    def pair_at(self, point: QPointF) -> int | None:
        """The pair whose circle is at a point."""
        if self.circle.contains(point):
            return self.spec.pair
        for pair, cell in self.strip:
            if cell.contains(point):
                return pair
        return None

    def sentence_at(self, point: QPointF) -> str:
        """What there is to say of what is at a point."""
        pair = self.pair_at(point)
        return "" if pair is None else self.spec.sentence(pair)


def rotation_geometry(
    figure: FigureSpec[RotationSpec], rect: QRectF, options: DrawOptions
) -> RotationGeometry:
    """Lay out the circle beside (or above) the numbers, and the strip of small circles below."""
    spec, scale = figure.body, options.font_scale
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    room, gap = words.room, 20 * scale
    line = line_height(SMALL * scale)
    deep = min(0.3 * room.height(), room.width() / len(spec.shown) + line, 150 * scale)
    shown = spec.shown if room.height() >= _STRIP * scale else ()
    below = deep + gap + line if shown else 0.0
    top = QRectF(room.left(), room.top(), room.width(), max(0.0, room.height() - below))
    if top.width() > _WIDE * top.height():
        side = max(0.0, min(top.height(), 0.4 * top.width()))
        circle = QRectF(top.left(), top.top(), side, side)
        left = circle.right() + 1.6 * gap
        beside = QRectF(left, top.top(), top.right() - left, top.height())
    else:
        spare = top.height() - gap - _least(spec, top.width(), scale)
        side = max(0.0, min(top.width(), 0.5 * top.height(), max(0.25 * top.height(), spare)))
        circle = QRectF(top.center().x() - side / 2, top.top(), side, side)
        beside = QRectF(top.left(), circle.bottom() + gap, top.width(), top.bottom() - circle.bottom() - gap)
    brackets, runs = _numbers(spec, beside, scale)
    strip_heading = QRectF(room.left(), top.bottom() + gap, room.width(), line)
    across = min(room.width() / len(spec.shown), 1.6 * deep)
    strip = tuple(
        (pair, QRectF(room.left() + place * across, strip_heading.bottom(), across, deep))
        for place, pair in enumerate(shown)
    )
    return RotationGeometry(spec, words, circle, tuple(brackets), tuple(runs), strip_heading, strip, scale)


def rotation_height(figure: FigureSpec[RotationSpec], width: float, options: DrawOptions) -> float:
    """A height that gives the circle a good size."""
    tall = QRectF(0, 0, width, 1e6)
    words = place_words(tall, figure.body.title, "", figure.body.badges, figure.caption, options)
    share = 0.55 if width > 700 * options.font_scale else 1.6
    return words.room.top() + share * width + tall.bottom() - words.room.bottom()


def _numbers(spec: RotationSpec, rect: QRectF, scale: float) -> tuple[list[Brackets], list[TextRun]]:
    """Formula, the same with numbers, the verdict over all pairs, and what the table has."""
    line, equation = line_height(LABEL * scale), 2 * line_height(_EQUATION * scale)
    runs = place_notes(QRectF(rect.left(), rect.top(), rect.width(), 2 * line), [spec.heading()], scale)
    y = (runs[-1].y if runs else rect.top()) + 0.9 * line
    written, numbers = spec.symbols(), spec.values()
    texts = [spec.verdict(), spec.in_table(), spec.meaning()]
    roles = ["accent" if spec.holds else "text", "text", "dim"]
    # The names of the matrices, both equations and all sentences, if there is room; else only with numbers.
    wide = sum(_wide(matrix, _EQUATION * scale, scale) for matrix in written) + 60 * scale
    tall = equation / 2 + 2 * (equation + 0.7 * line) + notes_height(texts, rect.width(), scale)
    roomy = wide <= rect.width() and y + tall <= rect.bottom()
    brackets: list[Brackets] = []
    names = spec.matrix_names()
    for matrices in [written, numbers] if roomy else [numbers]:
        y = _equation(matrices, names, QPointF(rect.left(), y), scale, brackets, runs) + 0.7 * line
        names = ()
    rest = QRectF(rect.left(), y, rect.width(), max(0.0, rect.bottom() - y))
    return brackets, [*runs, *place_notes(rest, texts, scale, roles)]


def _least(spec: RotationSpec, across: float, scale: float) -> float:
    """How high the sentences are, with the equation only in numbers."""
    line, equation = line_height(LABEL * scale), 3 * line_height(_EQUATION * scale)
    texts = [spec.verdict(), spec.in_table(), spec.meaning()]
    return (
        notes_height([spec.heading()], across, scale)
        + 1.6 * line
        + equation
        + notes_height(texts, across, scale)
    )


def _wide(matrix: list[list[str]], pixels: float, scale: float) -> float:
    columns = zip(*matrix, strict=True)
    inside = [max(width(text, pixels) for text in column) for column in columns]
    return sum(inside) + 14 * scale * (len(inside) - 1) + 2 * _GAP * scale


def _equation(
    matrices: list[list[list[str]]],
    names: tuple[str, ...],
    corner: QPointF,
    scale: float,
    brackets: list[Brackets],
    runs: list[TextRun],
) -> float:
    """Place [left] = [matrix] · [vector] with names above; returns where it ends below."""
    pixels = _EQUATION * scale
    line = line_height(pixels)
    x, y = corner.x(), corner.y() + (line if names else 0.0)
    for index, matrix in enumerate(matrices):
        whole = _wide(matrix, pixels, scale)
        box = QRectF(x, y, whole, 2 * line)
        entries: list[TextRun] = []
        left = x + _GAP * scale
        for column in zip(*matrix, strict=True):
            room = max(width(text, pixels) for text in column)
            for row, text in enumerate(column):
                at = left + room - width(text, pixels)
                entries.append(TextRun(text, at, middle(y + (row + 0.5) * line, pixels), pixels))
            left += room + 14 * scale
        brackets.append(Brackets(box, tuple(entries)))
        if names:
            name = names[index]
            at = box.center().x() - width(name, pixels, True) / 2
            runs.append(TextRun(name, max(x, at), middle(y - line / 2, pixels), pixels, "text", True))
        x += whole + 6 * scale
        if index < len(matrices) - 1:
            sign = "=" if index == 0 else "·"
            baseline = middle(y + line, TITLE * scale)
            runs.append(TextRun(sign, x, baseline, TITLE * scale, "dim"))
            x += width(sign, TITLE * scale) + 6 * scale
    return y + 2 * line
