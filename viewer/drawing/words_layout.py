"""Where every word of a running text goes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF

from viewer.drawing.furniture import Words, place_words
from viewer.drawing.lettering import (
    LABEL,
    SMALL,
    SMALLEST,
    TextRun,
    elided,
    line_height,
    middle,
    width,
    wrapped,
)
from viewer.drawing.options import DrawOptions
from viewer.state.figure import FigureSpec, format_number
from viewer.state.words_spec import Block, Word, WordsSpec

SIZE, SIZE_LONG = 17.0, 14.0
_LONG_TEXT = 90
_PART, _NEXT = 7.0, 2.0
_PAD = 3.0
_BAR = 120.0
LEAST_NUMBER = 0.005
"""A smaller weight has no number under its word, which would be in the way of others; its tooltip has it."""


@dataclass(frozen=True)
class PlacedWord:
    """A word where it stands.

    Attributes:
        rect: its ground.
        text: its letters.
        number: its weight, below it; None where there is no room or no weight.
    """

    word: Word
    rect: QRectF
    text: TextRun
    number: TextRun | None = None


@dataclass(frozen=True)
class PlacedBlock:
    """A block with its title and words."""

    block: Block
    title: TextRun
    words: tuple[PlacedWord, ...]
    bottom: float


@dataclass(frozen=True)
class WordsGeometry:
    """A running text, placed.

    Attributes:
        furniture: title, badges, caption.
        heading: what is shown, in words.
        bar: the scale from its least to its largest weight, from left to right.
    """

    spec: WordsSpec
    furniture: Words
    heading: tuple[TextRun, ...]
    bar: QRectF
    blocks: tuple[PlacedBlock, ...]
    bottom: float
    scale: float

    def word_at(self, point: QPointF) -> tuple[PlacedBlock, PlacedWord] | None:
        """The word at a point, its number included."""
        for block in self.blocks:
            for word in block.words:
                below = line_height(SMALLEST * self.scale)
                if word.rect.adjusted(0, 0, 0, below).contains(point):
                    return block, word
        return None

    def rect_of(self, block: Block, index: int) -> QRectF | None:
        """Where a word of a block stands."""
        for placed in self.blocks:
            if placed.block is block:
                return next((word.rect for word in placed.words if word.word.index == index), None)
        return None


def words_geometry(figure: FigureSpec, rect: QRectF, options: DrawOptions) -> WordsGeometry:
    """Lay a running text out in the width of `rect`; it may be higher than `rect` is."""
    spec = words_of(figure)
    scale = options.font_scale
    furniture = place_words(rect, spec.title, spec.family, spec.badges, figure.caption, options)
    room = furniture.room
    pixels = LABEL * scale
    y = room.top() + 2 * scale
    heading = []
    for text in wrapped(spec.heading, pixels, room.width()):
        heading.append(
            TextRun(text, room.left(), middle(y + 0.5 * line_height(pixels), pixels), pixels, bold=True)
        )
        y += line_height(pixels)
    y += 6 * scale
    blocks = []
    for block in spec.blocks:
        placed = _block(block, room, y, scale)
        blocks.append(placed)
        y = placed.bottom + 14 * scale
    line = line_height(SMALLEST * scale)
    bar = QRectF(room.left(), y, min(_BAR * scale, room.width()), 8 * scale)
    return WordsGeometry(
        spec, furniture, tuple(heading), bar, tuple(blocks), bar.bottom() + line + 4 * scale, scale
    )


def words_height(figure: FigureSpec, wide: float, options: DrawOptions) -> float:
    """The height that the text takes at a width."""
    tall = QRectF(0, 0, wide, 1e6)
    place = words_geometry(figure, tall, options)
    return place.bottom + tall.bottom() - place.furniture.room.bottom()


def words_of(figure: FigureSpec) -> WordsSpec:
    """The running text that a figure is of."""
    assert isinstance(figure.body, WordsSpec)
    return figure.body


def _block(block: Block, room: QRectF, y: float, scale: float) -> PlacedBlock:
    small = SMALL * scale
    title = elided(block.title, small, room.width())
    run = TextRun(title, room.left(), middle(y + 0.5 * line_height(small), small), small, "dim")
    y += line_height(small) + 3 * scale
    words = _rows(block, room, y, scale)
    numbered = _numbered(words, scale) if block.shaded else words
    bottom = max((word.rect.bottom() for word in numbered), default=y)
    below = line_height(SMALLEST * scale) if block.shaded else 0.0
    return PlacedBlock(block, run, numbered, bottom + below)


def _rows(block: Block, room: QRectF, y: float, scale: float) -> tuple[PlacedWord, ...]:
    """Words in lines; the pieces of a word stay together where a line has room for them."""
    pixels = (SIZE if len(block.words) <= _LONG_TEXT else SIZE_LONG) * scale
    high = round(1.5 * pixels)
    below = line_height(SMALLEST * scale) if block.shaded else 4 * scale
    placed: list[PlacedWord] = []
    x = room.left()
    for group in _groups(block.words):
        wide = sum(_wide(word, pixels, scale) for word in group)
        gap = 0.0 if x == room.left() else (_PART if group[0].parted else _NEXT) * scale
        if x > room.left() and x + gap + wide > room.right():
            x, gap, y = room.left(), 0.0, y + high + below
        x += gap
        for word in group:
            length = _wide(word, pixels, scale)
            if x > room.left() and x + length > room.right() + 0.5:
                x, y = room.left(), y + high + below
            text = elided(word.token.text, pixels, max(1.0, room.width() - 2 * _PAD * scale))
            length = min(length, room.width())
            rect = QRectF(x, y, length, high)
            start = rect.center().x() - width(text, pixels) / 2
            placed.append(
                PlacedWord(word, rect, TextRun(text, start, middle(rect.center().y(), pixels), pixels))
            )
            x += length
    return tuple(placed)


def _wide(word: Word, pixels: float, scale: float) -> float:
    """A word that goes on leaves no room before it."""
    pad = _PAD * scale
    return width(word.token.text, pixels) + (pad if word.token.continues else 2 * pad)


def _groups(words: tuple[Word, ...]) -> list[list[Word]]:
    """Pieces of one word together."""
    groups: list[list[Word]] = []
    for word in words:
        if word.token.continues and groups:
            groups[-1].append(word)
        else:
            groups.append([word])
    return groups


def _numbered(words: tuple[PlacedWord, ...], scale: float) -> tuple[PlacedWord, ...]:
    """The words with their weights below them, the largest first, where those do not touch."""
    pixels = SMALLEST * scale
    taken: dict[float, list[tuple[float, float]]] = {}
    numbers: dict[int, TextRun] = {}
    weighty = [n for n, word in enumerate(words) if _has_number(word.word)]
    for n in sorted(weighty, key=lambda n: (-abs(words[n].word.weight or 0.0), n)):
        word = words[n]
        text = format_number(word.word.weight or 0.0)
        long = width(text, pixels)
        start = word.rect.center().x() - long / 2
        row = taken.setdefault(word.rect.bottom(), [])
        if any(start < end + 3 * scale and begin < start + long + 3 * scale for begin, end in row):
            continue
        row.append((start, start + long))
        y = middle(word.rect.bottom() + 0.5 * line_height(pixels), pixels)
        numbers[n] = TextRun(text, start, y, pixels, "dim")
    return tuple(replace(word, number=numbers.get(n)) for n, word in enumerate(words))


def _has_number(word: Word) -> bool:
    return word.weight is not None and abs(word.weight) >= LEAST_NUMBER
