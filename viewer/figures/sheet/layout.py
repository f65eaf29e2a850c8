"""Layout: where the parts of a sheet go."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.canvas.frame import Words, place_words
from viewer.figures.canvas.lettering import SMALL, TextRun, line_height, middle, wrapped
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.figure import FigureSpec
from viewer.figures.sheet.formula import Formula, formula_of
from viewer.figures.sheet.part import Part, Placed
from viewer.figures.sheet.spec import SheetSpec

_NARROW = 250.0  # a part that is narrower takes a line of its own
_GAP = 18.0
_FORMULA = 17.0


@dataclass(frozen=True)
class SheetGeometry:
    """Parts in their places, the formula (its top left) and the notes under them."""

    spec: SheetSpec
    words: Words
    parts: tuple[Placed, ...]
    runs: tuple[TextRun, ...]
    formula: Formula | None
    formula_at: QPointF
    scale: float

    def sentence_at(self, point: QPointF) -> str:
        """What there is to say of what is at a point; empty for nothing."""
        return next((said for part in self.parts if (said := part.sentence_at(point))), "")

    def handle_at(self, point: QPointF) -> tuple[Placed, str] | None:
        """The part and the control that is dragged from a point."""
        return next(((part, name) for part in self.parts if (name := part.handle_at(point))), None)

    def picked_at(self, point: QPointF) -> dict[str, int]:
        """What a click there chooses."""
        return next((found for part in self.parts if (found := part.picked_at(point))), {})


def sheet_geometry(figure: FigureSpec[SheetSpec], rect: QRectF, options: DrawOptions) -> SheetGeometry:
    """Lines of parts from the top; room that is left goes to all of them alike."""
    spec, scale = figure.body, options.font_scale
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    room = words.room
    runs, formula, above = _foot(spec, room, options)
    lines = _lines(spec, room.width(), scale)
    heights = [_line_height(line, room.width(), scale) for line in lines]
    gaps = _GAP * scale * max(0, len(lines) - 1)
    spare = (above - room.top() - sum(heights) - gaps) / max(1, len(lines))
    parts: list[Placed] = []
    y = room.top()
    for line, height in zip(lines, heights, strict=True):
        tall = max(1.0, height + spare)
        parts += _place_line(line, QRectF(room.left(), y, room.width(), tall), scale)
        y += tall + _GAP * scale
    at = QPointF(room.left(), above + 8 * scale)
    return SheetGeometry(spec, words, tuple(parts), tuple(runs), formula, at, scale)


def sheet_height(figure: FigureSpec[SheetSpec], width: float, options: DrawOptions) -> float:
    """What the parts ask for, one under the other."""
    spec, scale = figure.body, options.font_scale
    tall = QRectF(0, 0, width, 1e6)
    words = place_words(tall, spec.title, "", spec.badges, figure.caption, options)
    _, _, above = _foot(spec, words.room, options)
    lines = _lines(spec, width, scale)
    parts = sum(_line_height(line, width, scale) for line in lines) + _GAP * scale * max(0, len(lines) - 1)
    return words.room.top() + parts + (tall.bottom() - above)


def _foot(spec: SheetSpec, room: QRectF, options: DrawOptions) -> tuple[list[TextRun], Formula | None, float]:
    """Formula and notes at the foot where the picture stands alone, and what is left above them."""
    if not options.caption:
        return [], None, room.bottom()
    scale = options.font_scale
    pixels = SMALL * scale
    line = line_height(pixels)
    texts = [text for note in spec.notes for text in wrapped(note, pixels, room.width())]
    y = room.bottom() - len(texts) * line
    runs = [
        TextRun(text, room.left(), middle(y + (index + 0.5) * line, pixels), pixels, "text")
        for index, text in enumerate(texts)
    ]
    formula = formula_of(spec.formula, _FORMULA * scale) if spec.formula else None
    if formula is not None:
        y -= formula.height + 16 * scale
    return runs, formula, y - (8 * scale if texts or formula else 0)


def _lines(spec: SheetSpec, width: float, scale: float) -> list[tuple[Part, ...]]:
    found: list[tuple[Part, ...]] = []
    for line in spec.lines:
        if min(_widths(line, width, scale), default=width) < _NARROW * scale:
            found += [(part,) for part in line]
        elif line:
            found.append(line)
    return found


def _widths(line: tuple[Part, ...], width: float, scale: float) -> list[float]:
    room = width - _GAP * scale * (len(line) - 1)
    whole = sum(part.share for part in line)
    return [room * part.share / whole for part in line]


def _line_height(line: tuple[Part, ...], width: float, scale: float) -> float:
    widths = _widths(line, width, scale)
    return max(part.height(wide, scale) for part, wide in zip(line, widths, strict=True))


def _place_line(line: tuple[Part, ...], rect: QRectF, scale: float) -> list[Placed]:
    placed, x = [], rect.left()
    for part, wide in zip(line, _widths(line, rect.width(), scale), strict=True):
        placed.append(part.placed(QRectF(x, rect.top(), wide, rect.height()), scale))
        x += wide + _GAP * scale
    return placed
