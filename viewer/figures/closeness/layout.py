"""Layout: where the lines of one word in two sentences go."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.canvas.frame import Words, place_words
from viewer.figures.canvas.lettering import LABEL, SMALL, TextRun, elided, line_height, middle, width, wrapped
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.closeness.spec import ClosenessSpec
from viewer.figures.figure import FigureSpec

_MOST_NAME = 130.0
_MOST_LINES = 2  # of a sentence with its translation


@dataclass(frozen=True)
class ClosenessGeometry:
    """Sentences above, lines in `box`, their names at the right of it.

    Attributes:
        low: the value at the foot of the box; its top is 1.
        names: where each line's name stands, in height; they do not touch.
    """

    spec: ClosenessSpec
    words: Words
    runs: tuple[TextRun, ...]
    box: QRectF
    low: float
    names: tuple[float, ...]
    scale: float

    def at(self, stage: int, value: float) -> QPointF:
        """Where a value is drawn."""
        count = len(self.spec.stages)
        x = self.box.left() + (stage + 0.5) * self.box.width() / count
        share = (value - self.low) / (1.0 - self.low)
        return QPointF(x, self.box.bottom() - share * self.box.height())

    def stage_at(self, point: QPointF) -> int | None:
        """The stage whose column a point is in; None outside of the box."""
        if not self.box.contains(point):
            return None
        count = len(self.spec.stages)
        return min(count - 1, int((point.x() - self.box.left()) * count / self.box.width()))


def closeness_geometry(
    figure: FigureSpec[ClosenessSpec], rect: QRectF, options: DrawOptions
) -> ClosenessGeometry:
    """Sentences and verdict from the top, the note at the bottom, the lines between."""
    spec, scale = figure.body, options.font_scale
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    room, pixels, small = words.room, LABEL * scale, SMALL * scale
    runs: list[TextRun] = []
    y = room.top()
    for index, text in enumerate((*spec.sentences, spec.verdict)):
        for line in _lines(text, pixels, room.width(), _MOST_LINES if index < 2 else None):
            role = "dim" if index < 2 else "text"
            runs.append(TextRun(line, room.left(), middle(y + line_height(pixels) / 2, pixels), pixels, role))
            y += line_height(pixels)
        y += (3 if index < 1 else 7) * scale
    note = wrapped(spec.note, small, room.width())
    bottom = room.bottom() - len(note) * line_height(small)
    for index, line in enumerate(note):
        base = middle(bottom + (index + 0.5) * line_height(small), small)
        runs.append(TextRun(line, room.left(), base, small, "dim"))
    names = min(_MOST_NAME * scale, max(width(line.name, small, True) for line in spec.lines)) + 14 * scale
    box = QRectF(
        room.left() + width("−0.5", small) + 10 * scale,
        y + 6 * scale,
        max(1.0, room.width() - names - width("−0.5", small) - 10 * scale),
        max(1.0, bottom - 8 * scale - line_height(small) - 6 * scale - y - 6 * scale),
    )
    least = min(value for line in spec.lines for value in line.values)
    # Small falls would be lost in a low corner of the whole scale; the axis says where it begins.
    low = 0.5 if least >= 0.55 else 0.0 if least >= 0 else -1.0
    place = ClosenessGeometry(spec, words, tuple(runs), box, low, (), scale)
    heights = _apart([place.at(0, line.values[-1]).y() for line in spec.lines], line_height(small), box)
    return ClosenessGeometry(spec, words, tuple(runs), box, low, tuple(heights), scale)


def closeness_height(figure: FigureSpec[ClosenessSpec], width_: float, options: DrawOptions) -> float:
    """A height that gives the lines a good slope."""
    spec, scale = figure.body, options.font_scale
    tall = QRectF(0, 0, width_, 1e6)
    words = place_words(tall, spec.title, "", spec.badges, figure.caption, options)
    pixels = LABEL * scale
    lines = sum(len(_lines(text, pixels, width_, _MOST_LINES)) for text in spec.sentences)
    lines += sum(len(wrapped(text, pixels, width_)) for text in (spec.verdict, spec.note))
    around = words.room.top() + tall.bottom() - words.room.bottom()
    return around + (lines + 2) * line_height(pixels) + 40 * scale + min(0.5 * width_, 360 * scale)


def _lines(text: str, pixels: float, room: float, most: int | None) -> list[str]:
    """The text wrapped; of more than `most` lines the first ones, the last with an ellipsis.

    A long sentence would leave no room for what the picture is about; the caption has the whole of it.
    """
    lines = wrapped(text, pixels, room)
    if most is None or len(lines) <= most:
        return lines
    return [*lines[: most - 1], elided(lines[most - 1] + "…", pixels, room)]


def _apart(heights: list[float], line: float, box: QRectF) -> list[float]:
    """The heights, moved so far that lines of text beside them do not touch, in their own order."""
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    placed = list(heights)
    top = box.top() + line / 2
    for index in order:
        placed[index] = max(placed[index], top)
        top = placed[index] + line
    bottom = box.bottom() - line / 2
    for index in reversed(order):
        placed[index] = min(placed[index], bottom)
        bottom = placed[index] - line
    return placed
