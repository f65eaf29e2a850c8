"""Layout: where every word of a running text goes."""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.canvas.cells import remembered
from viewer.figures.canvas.frame import Words as Frame
from viewer.figures.canvas.frame import place_words
from viewer.figures.canvas.lettering import (
    LABEL,
    SMALL,
    SMALLEST,
    TextRun,
    elided,
    legible,
    line_height,
    middle,
    text_widths,
    width,
    wrapped,
)
from viewer.figures.canvas.numerals import format_number
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.figure import FigureSpec
from viewer.figures.words.spec import Block, Line, Word, Words, WordsSpec

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


@dataclass(frozen=True, eq=False)
class PlacedBlock:
    """A block with its title and words; of thousands, those that are asked for are made.

    Attributes:
        places: of each word.
        numbers: of some words, by their places in the block.
    """

    block: Block
    title: TextRun
    places: _Places
    numbers: Mapping[int, TextRun]
    bottom: float

    @cached_property
    def words(self) -> tuple[PlacedWord, ...]:
        """All of them."""
        return tuple(map(self.word, range(len(self.block.words))))

    def word(self, place: int) -> PlacedWord:
        """The word at a place in the block."""
        found = self.places
        left, top, wide, text, start = found.words[place]
        run = TextRun(text, start, top + found.lowered, found.pixels)
        rect = QRectF(left, top, wide, found.high)
        return PlacedWord(self.block.words[place], rect, run, self.numbers.get(place))

    def of(self, index: int) -> PlacedWord | None:
        """The word of that place along the axis."""
        return self.word(index) if 0 <= index < len(self.block.words) else None

    def between(self, top: float, bottom: float) -> Iterator[PlacedWord]:
        """The words of the lines that are not wholly above or below."""
        found = self.places
        first = bisect_left(found.tops, top - found.high)
        last = bisect_right(found.tops, bottom)
        starts = (*found.starts, len(found.words))
        return map(self.word, range(starts[min(first, len(found.starts))], starts[last]))

    def nearest(self, index: int, lines: int) -> int | None:
        """The word about so many lines below one, both by their place along the axis; None for none."""
        own = self.of(index)
        if own is None:
            return None
        line = bisect_left(self.places.tops, own.rect.top()) + lines
        if not 0 <= line < len(self.places.tops):
            return None
        top, x = self.places.tops[line], own.rect.center().x()
        there = [word for word in self.between(top, top) if word.rect.top() == top]
        return min(there, key=lambda word: abs(word.rect.center().x() - x)).word.index


@dataclass(frozen=True)
class WordsGeometry:
    """A running text, placed.

    Attributes:
        frame: title, badges, caption.
        heading: what is shown, in words.
        bar: the scale from its least to its largest weight, from left to right.
    """

    spec: WordsSpec
    frame: Frame
    heading: tuple[TextRun, ...]
    bar: QRectF
    blocks: tuple[PlacedBlock, ...]
    bottom: float
    scale: float

    def word_at(self, point: QPointF) -> tuple[PlacedBlock, PlacedWord] | None:
        """The word at a point, its number included."""
        below = line_height(SMALLEST * self.scale)
        for block in self.blocks:
            for word in block.between(point.y() - below, point.y()):
                if word.rect.adjusted(0, 0, 0, below).contains(point):
                    return block, word
        return None

    def rect_of(self, block: Block, index: int) -> QRectF | None:
        """Where a word of a block stands."""
        for placed in self.blocks:
            if placed.block is block:
                found = placed.of(index)
                return None if found is None else found.rect
        return None


def words_geometry(figure: FigureSpec[WordsSpec], rect: QRectF, options: DrawOptions) -> WordsGeometry:
    """Lay a running text out in the width of `rect`; it may be higher than `rect` is."""
    spec, scale = figure.body, options.font_scale
    frame = place_words(rect, spec.title, spec.kind_name, spec.badges, figure.caption, options)
    room = frame.room
    place = room.left(), room.top(), room.width()
    # Another height moves only what stands below, and a view that comes in sight has several.
    heading, blocks, y = remembered(spec, ("words", *place, scale), lambda: _text(spec, *place, scale))
    line = line_height(SMALLEST * scale)
    bar = QRectF(room.left(), y, min(_BAR * scale, room.width()), 8 * scale)
    return WordsGeometry(spec, frame, heading, bar, blocks, bar.bottom() + line + 4 * scale, scale)


def _text(
    spec: WordsSpec, left: float, top: float, wide: float, scale: float
) -> tuple[tuple[TextRun, ...], tuple[PlacedBlock, ...], float]:
    """Heading and words in that width, and where they end."""
    pixels = LABEL * scale
    y = top + 2 * scale
    heading = []
    for text in wrapped(spec.heading, pixels, wide):
        heading.append(TextRun(text, left, middle(y + 0.5 * line_height(pixels), pixels), pixels, bold=True))
        y += line_height(pixels)
    y += 6 * scale
    blocks = []
    for block in spec.blocks:
        placed = _block(block, left, left + wide, y, scale)
        blocks.append(placed)
        y = placed.bottom + 14 * scale
    return tuple(heading), tuple(blocks), y


def words_height(figure: FigureSpec[WordsSpec], wide: float, options: DrawOptions) -> float:
    """The height that the text takes at a width."""
    tall = QRectF(0, 0, wide, 1e6)
    place = words_geometry(figure, tall, options)
    return place.bottom + tall.bottom() - place.frame.room.bottom()


def _block(block: Block, left: float, right: float, y: float, scale: float) -> PlacedBlock:
    small = SMALL * scale
    title = elided(block.title, small, right - left)
    run = TextRun(title, left, middle(y + 0.5 * line_height(small), small), small, "dim")
    y += line_height(small) + 3 * scale
    below = line_height(SMALLEST * scale) if block.shaded else 0.0
    places = _places(block.words.line, left, right, y, below or 4 * scale, scale)
    numbers = _numbers(block.words, places, scale) if block.shaded else {}
    bottom = places.tops[-1] + places.high if places.tops else y
    return PlacedBlock(block, run, places, numbers, bottom + below)


@dataclass(frozen=True, eq=False)
class _Places:
    """Where the words of a block stand, in plain numbers: there may be thousands.

    Attributes:
        words: of each its left edge, its line's upper one, its width, its letters and where they start.
        tops: of the lines.
        starts: places in the block of the first words of the lines.
        high, lowered: of a line, and of the letters' baseline in it.
        pixels: height of the type.
    """

    words: Sequence[tuple[float, float, float, str, float]]
    tops: Sequence[float]
    starts: Sequence[int]
    high: float
    lowered: float
    pixels: float


@lru_cache(maxsize=8)  # another head or step shades the same words
def _places(
    line: Line,
    left: float,
    right: float,
    y: float,
    below: float,
    scale: float,
) -> _Places:
    """Words in lines; the pieces of a word stay together where a line has room for them.

    Args:
        below: room under each line.
    """
    tokens = line.tokens
    pixels = (SIZE if len(tokens) <= _LONG_TEXT else SIZE_LONG) * scale
    high = round(1.5 * pixels)
    pad = _PAD * scale
    most, part, near = right - left, _PART * scale, _NEXT * scale
    texts, widths = _fitted([token.marked for token, _ in tokens], pixels, max(1.0, most - 2 * pad))
    # A word that goes on leaves no room before it.
    lengths = [
        min(wide + (pad if token.continues else 2 * pad), most)
        for wide, (token, _) in zip(widths, tokens, strict=True)
    ]
    begins = [n for n, (token, _) in enumerate(tokens) if n == 0 or not token.continues]
    tops, starts, x = ([y], [0], left) if tokens else ([], [], left)
    lefts, uppers = [], []
    for first, last in itertools.pairwise([*begins, len(tokens)]):  # the pieces of one word
        gap = 0.0 if x == left else (part if tokens[first][1] else near)
        long = lengths[first] if last == first + 1 else sum(lengths[first:last])
        if x > left and x + gap + long > right:
            x, gap, y = left, 0.0, y + high + below
            tops.append(y)
            starts.append(first)
        x += gap
        for place in range(first, last):
            length = lengths[place]
            if x > left and x + length > right + 0.5:
                x, y = left, y + high + below
                tops.append(y)
                starts.append(place)
            lefts.append(x)
            uppers.append(y)
            x += length
    letters = [x + (length - wide) / 2 for x, length, wide in zip(lefts, lengths, widths, strict=True)]
    words = list(zip(lefts, uppers, lengths, texts, letters, strict=True))
    return _Places(words, tops, starts, high, middle(0.5 * high, pixels), pixels)


def _fitted(texts: Sequence[str], pixels: float, room: float) -> tuple[list[str], list[float]]:
    """What is written of each text, and how wide that is."""
    texts = list(map(legible, texts))
    measured = text_widths(pixels)
    widths = list(map(measured.of, texts))
    if max(widths, default=0.0) > room:
        texts = [
            text if wide <= room else elided(text, pixels, room)
            for text, wide in zip(texts, widths, strict=True)
        ]
        widths = list(map(measured.of, texts))
    return texts, widths


def _numbers(words: Words, places: _Places, scale: float) -> dict[int, TextRun]:
    """The weights below their words, the largest first, where those do not touch."""
    pixels = SMALLEST * scale
    taken: dict[float, list[tuple[float, float]]] = {}
    numbers: dict[int, TextRun] = {}
    for n, weight in words.numbered(LEAST_NUMBER):
        left, top, wide, _, _ = places.words[n]
        bottom = top + places.high
        text = format_number(weight)
        long = width(text, pixels)
        start = left + wide / 2 - long / 2
        row = taken.setdefault(bottom, [])
        if any(start < end + 3 * scale and begin < start + long + 3 * scale for begin, end in row):
            continue
        row.append((start, start + long))
        y = middle(bottom + 0.5 * line_height(pixels), pixels)
        numbers[n] = TextRun(text, start, y, pixels, "dim")
    return numbers
