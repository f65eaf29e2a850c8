"""Where the rotation of a pair goes: its circle, the matrix with its numbers, the circles of other pairs."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF

from viewer.drawing.furniture import Words, place_words
from viewer.drawing.lettering import LABEL, SMALL, TITLE, TextRun, line_height, middle, width
from viewer.drawing.notes import place_notes
from viewer.drawing.options import DrawOptions
from viewer.state.figure import FigureSpec
from viewer.state.positions_specs import SAME, RotationSpec, signed, significant, tiny
from viewer.state.positions_table import grouped

_WIDE = 1.0
_EQUATION = 16.0  # height of the matrices' type
_GAP = 8.0  # between a bracket and what stands in it


@dataclass(frozen=True)
class Brackets:
    """A matrix, placed: its brackets' box and its entries."""

    box: QRectF
    runs: tuple[TextRun, ...]


@dataclass(frozen=True)
class RotationGeometry:
    """The picture's parts, placed; `strip` has one cell for each pair of `spec.shown`."""

    spec: RotationSpec
    words: Words
    circle: QRectF
    brackets: tuple[Brackets, ...]
    runs: tuple[TextRun, ...]
    strip_heading: QRectF
    strip: tuple[QRectF, ...]
    scale: float

    def pair_at(self, point: QPointF) -> int | None:
        """The pair whose circle is at a point."""
        if self.circle.contains(point):
            return self.spec.pair
        for pair, cell in zip(self.spec.shown, self.strip, strict=True):
            if cell.contains(point):
                return pair
        return None

    def sentence_at(self, point: QPointF) -> str:
        """What there is to say of what is at a point."""
        pair = self.pair_at(point)
        return "" if pair is None else self.spec.sentence(pair)


def rotation_geometry(figure: FigureSpec, rect: QRectF, options: DrawOptions) -> RotationGeometry:
    """Lay out the circle beside (or above) the numbers, and the strip of small circles below."""
    spec, scale = figure.body, options.font_scale
    assert isinstance(spec, RotationSpec)
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    room, gap = words.room, 20 * scale
    line = line_height(SMALL * scale)
    deep = max(0.0, min(0.3 * room.height(), room.width() / len(spec.shown) + line, 150 * scale))
    top = QRectF(room.left(), room.top(), room.width(), max(0.0, room.height() - deep - gap - line))
    if top.width() > _WIDE * top.height():
        side = max(0.0, min(top.height(), 0.4 * top.width()))
        circle = QRectF(top.left(), top.top(), side, side)
        beside = QRectF(circle.right() + 1.6 * gap, top.top(), top.right() - circle.right() - 1.6 * gap, side)
    else:
        side = max(0.0, min(top.width(), 0.5 * top.height()))
        circle = QRectF(top.center().x() - side / 2, top.top(), side, side)
        beside = QRectF(top.left(), circle.bottom() + gap, top.width(), top.bottom() - circle.bottom() - gap)
    brackets, runs = _numbers(spec, beside, scale)
    heading = QRectF(room.left(), top.bottom() + gap, room.width(), line)
    across = min(room.width() / len(spec.shown), 1.6 * deep)
    strip = tuple(
        QRectF(room.left() + place * across, heading.bottom(), across, deep)
        for place in range(len(spec.shown))
    )
    return RotationGeometry(spec, words, circle, tuple(brackets), tuple(runs), heading, strip, scale)


def rotation_height(figure: FigureSpec, width: float, options: DrawOptions) -> float:
    """A height that gives the circle a good size."""
    assert isinstance(figure.body, RotationSpec)
    tall = QRectF(0, 0, width, 1e6)
    words = place_words(tall, figure.body.title, "", figure.body.badges, figure.caption, options)
    share = 0.55 if width > 700 * options.font_scale else 1.5
    return words.room.top() + share * width + tall.bottom() - words.room.bottom()


def _numbers(spec: RotationSpec, rect: QRectF, scale: float) -> tuple[list[Brackets], list[TextRun]]:
    """Formula, the same with numbers, what the table has, and the verdict over all pairs."""
    translate = QCoreApplication.translate
    line = line_height(LABEL * scale)
    heading = translate(
        "Figure", "Pair {pair}: ω = {base}^(−{twice}/{dimensions}) = {omega} radians a position"
    )
    omega = float(spec.frequencies[spec.pair])
    heading = heading.format(
        pair=spec.pair,
        base=grouped(spec.base).replace(",", ""),
        twice=2 * spec.pair,
        dimensions=2 * len(spec.frequencies),
        omega=significant(omega),
    )
    runs = place_notes(QRectF(rect.left(), rect.top(), rect.width(), 2 * line), [heading], scale)
    y = (runs[-1].y if runs else rect.top()) + 0.9 * line
    found, pair = spec.turned, spec.pair
    last = f"{spec.position} + {spec.offset}"
    symbols = [
        [[f"sin ω·({last})"], [f"cos ω·({last})"]],
        [[f"cos ω·{spec.offset}", f"sin ω·{spec.offset}"], [f"−sin ω·{spec.offset}", f"cos ω·{spec.offset}"]],
        [[f"sin ω·{spec.position}"], [f"cos ω·{spec.position}"]],
    ]
    numbers = [
        [[signed(float(value))] for value in found.turned[pair]],
        [[signed(float(value)) for value in row] for row in found.matrices[pair]],
        [[signed(float(value))] for value in found.before[pair]],
    ]
    names = ("PE(pos + k)", "R(k)", "PE(pos)")
    wide = sum(_wide(matrix, _EQUATION * scale, scale) for matrix in symbols) + 60 * scale
    rows = [symbols, numbers] if wide <= rect.width() else [numbers]
    brackets: list[Brackets] = []
    for index, matrices in enumerate(rows):
        above = names if index == 0 else ()
        y = _equation(matrices, above, QPointF(rect.left(), y), scale, brackets, runs) + 0.7 * line
    table = translate("Figure", "The table has PE({position}) = ({sine}, {cosine}); difference {difference}.")
    sine, cosine = (signed(float(value)) for value in found.wanted[pair])
    said = table.format(
        position=spec.position + spec.offset,
        sine=sine,
        cosine=cosine,
        difference=tiny(float(found.differences[pair])),
    )
    texts = [said, _verdict(spec), _meaning()]
    roles = ["text", "accent" if spec.holds else "text", "dim"]
    rest = QRectF(rect.left(), y, rect.width(), max(0.0, rect.bottom() - y))
    return brackets, [*runs, *place_notes(rest, texts, scale, roles)]


def _verdict(spec: RotationSpec) -> str:
    translate = QCoreApplication.translate
    if spec.holds:
        text = translate(
            "Figure",
            "Checked for all {pairs} pairs: largest difference {difference} (pair {pair}), no more than "
            "float32 rounds.",
        )
    else:
        text = translate(
            "Figure",
            "Over all {pairs} pairs the largest difference is {difference} (pair {pair}), more than {limit}: "
            "this table is not exactly that of its base.",
        )
    return text.format(
        pairs=len(spec.frequencies), difference=tiny(spec.largest), pair=spec.worst, limit=tiny(SAME)
    )


def _meaning() -> str:
    return QCoreApplication.translate(
        "Figure",
        "R(k) holds k but not pos: “k words further on” is the same linear map from everywhere.",
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
