"""Layout: where every word of a running text goes."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF

from viewer.document.text.token_text import TokenText
from viewer.figures.canvas.frame import Words, place_words
from viewer.figures.canvas.lettering import (
    LABEL,
    SMALL,
    SMALLEST,
    TextRun,
    elided,
    legible,
    line_height,
    middle,
    width,
    wrapped,
)
from viewer.figures.canvas.numerals import format_number
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.figure import FigureSpec
from viewer.figures.words.spec import Block, Word, WordsSpec

_Place = tuple[QRectF, TextRun]

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
        frame: title, badges, caption.
        heading: what is shown, in words.
        bar: the scale from its least to its largest weight, from left to right.
    """

    spec: WordsSpec
    frame: Words
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


def words_geometry(figure: FigureSpec[WordsSpec], rect: QRectF, options: DrawOptions) -> WordsGeometry:
    """Lay a running text out in the width of `rect`; it may be higher than `rect` is."""
    spec = figure.body
    scale = options.font_scale
    frame = place_words(rect, spec.title, spec.kind_name, spec.badges, figure.caption, options)
    room = frame.room
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
        spec, frame, tuple(heading), bar, tuple(blocks), bar.bottom() + line + 4 * scale, scale
    )


def words_height(figure: FigureSpec[WordsSpec], wide: float, options: DrawOptions) -> float:
    """The height that the text takes at a width."""
    tall = QRectF(0, 0, wide, 1e6)
    place = words_geometry(figure, tall, options)
    return place.bottom + tall.bottom() - place.frame.room.bottom()


def _block(block: Block, room: QRectF, y: float, scale: float) -> PlacedBlock:
    small = SMALL * scale
    title = elided(block.title, small, room.width())
    run = TextRun(title, room.left(), middle(y + 0.5 * line_height(small), small), small, "dim")
    y += line_height(small) + 3 * scale
    below = line_height(SMALLEST * scale) if block.shaded else 0.0
    tokens = tuple((word.token, word.parted) for word in block.words)
    places = _places(tokens, room.left(), room.right(), y, below or 4 * scale, scale)
    numbers = _numbers(block.words, places, scale) if block.shaded else {}
    words = tuple(
        PlacedWord(word, rect, text, numbers.get(n))
        for n, (word, (rect, text)) in enumerate(zip(block.words, places, strict=True))
    )
    bottom = max((rect.bottom() for rect, _ in places), default=y)
    return PlacedBlock(block, run, words, bottom + below)


@lru_cache(maxsize=8)  # another head or step shades the same words
def _places(
    tokens: tuple[tuple[TokenText, bool], ...],
    left: float,
    right: float,
    y: float,
    below: float,
    scale: float,
) -> tuple[_Place, ...]:
    """Words in lines; the pieces of a word stay together where a line has room for them.

    Args:
        tokens: each with whether a space stands before it.
        below: room under each line.
    """
    pixels = (SIZE if len(tokens) <= _LONG_TEXT else SIZE_LONG) * scale
    high = round(1.5 * pixels)
    placed: list[_Place] = []
    sizes = {token.marked: (legible(token.marked), width(token.marked, pixels)) for token, _ in tokens}
    pad = _PAD * scale
    # A word that goes on leaves no room before it.
    lengths = [sizes[token.marked][1] + (pad if token.continues else 2 * pad) for token, _ in tokens]
    begins = [n for n, (token, _) in enumerate(tokens) if n == 0 or not token.continues]
    x, most, lowered = left, right - left, middle(0.5 * high, pixels)
    for first, last in itertools.pairwise([*begins, len(tokens)]):  # the pieces of one word
        gap = 0.0 if x == left else (_PART if tokens[first][1] else _NEXT) * scale
        if x > left and x + gap + sum(lengths[first:last]) > right:
            x, gap, y = left, 0.0, y + high + below
        x += gap
        for (token, _), length in zip(tokens[first:last], lengths[first:last], strict=True):
            if x > left and x + length > right + 0.5:
                x, y = left, y + high + below
            text, long = sizes[token.marked]
            if long > most - 2 * pad:
                text = elided(token.marked, pixels, max(1.0, most - 2 * pad))
                long = width(text, pixels)
            length = min(length, most)
            run = TextRun(text, x + (length - long) / 2, y + lowered, pixels)
            placed.append((QRectF(x, y, length, high), run))
            x += length
    return tuple(placed)


def _numbers(words: tuple[Word, ...], places: tuple[_Place, ...], scale: float) -> dict[int, TextRun]:
    """The weights below their words, the largest first, where those do not touch."""
    pixels = SMALLEST * scale
    taken: dict[float, list[tuple[float, float]]] = {}
    numbers: dict[int, TextRun] = {}
    weighty = [n for n, word in enumerate(words) if _has_number(word)]
    for n in sorted(weighty, key=lambda n: (-abs(words[n].weight or 0.0), n)):
        rect = places[n][0]
        text = format_number(words[n].weight or 0.0)
        long = width(text, pixels)
        start = rect.center().x() - long / 2
        row = taken.setdefault(rect.bottom(), [])
        if any(start < end + 3 * scale and begin < start + long + 3 * scale for begin, end in row):
            continue
        row.append((start, start + long))
        y = middle(rect.bottom() + 0.5 * line_height(pixels), pixels)
        numbers[n] = TextRun(text, start, y, pixels, "dim")
    return numbers


def _has_number(word: Word) -> bool:
    return word.weight is not None and abs(word.weight) >= LEAST_NUMBER
