"""WordsSpec: the sentence as running text, each token shaded by the attention of, or to, the chosen one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from viewer.document.text.token_text import TokenText
from viewer.figures.canvas.matrix import Mask, Matrix
from viewer.figures.map.spec import MapSpec


class Axis(StrEnum):
    """Which tokens a block of words shows."""

    QUERY = "query"
    KEY = "key"


@dataclass(frozen=True)
class Word:
    """One token of the running text.

    Attributes:
        index: its place along the axis, from 0.
        token: what is written.
        weight: what shades it; None where there is no number (masked, of a later step, or not asked for).
        chosen: the token that the picture is about.
        masked: it cannot be read, or cannot read.
        later: it belongs to a later step.
        parted: a space stands before it.
    """

    index: int
    token: TokenText
    weight: float | None = None
    chosen: bool = False
    masked: bool = False
    later: bool = False
    parted: bool = True


@dataclass(frozen=True, eq=False)
class Line:
    """The tokens of a running text, which the words of every head and step share: one object a text.

    Attributes:
        tokens: each with whether a space stands before it.
    """

    tokens: tuple[tuple[TokenText, bool], ...]


@dataclass(frozen=True, eq=False)
class Shades:
    """What the first words of a text are shaded by.

    Attributes:
        values, shown: of each a number, and whether it is one.
        masked: which of them cannot be read, or cannot read.
    """

    values: Matrix
    shown: Mask
    masked: Mask


@dataclass(frozen=True, eq=False)
class Words:
    """The words of a running text, each made when it is asked for: there may be thousands.

    Attributes:
        line: what is written.
        shades: None where the words have no numbers.
        chosen: the place of the token that the picture is about.
        later: the first place of a later step; None: of none.
    """

    line: Line
    shades: Shades | None = None
    chosen: int | None = None
    later: int | None = None

    def __len__(self) -> int:
        return len(self.line.tokens)

    def __iter__(self) -> Iterator[Word]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, place: int) -> Word:
        token, parted = self.line.tokens[place]
        weight, masked, shades = None, False, self.shades
        if shades is not None and place < len(shades.values):
            weight = float(shades.values[place]) if shades.shown[place] else None
            masked = bool(shades.masked[place])
        later = self.later is not None and place >= self.later
        return Word(place, token, weight, place == self.chosen, masked, later, parted)

    def numbered(self, least: float = 0.0) -> list[tuple[int, float]]:
        """Place and number of each word that has one of at least that size, the largest first."""
        if self.shades is None:
            return []
        sizes = np.abs(self.shades.values.astype(np.float64))
        places = np.flatnonzero(self.shades.shown & (sizes >= least))
        places = places[np.argsort(-sizes[places], kind="stable")]
        return list(zip(places.tolist(), self.shades.values[places].tolist(), strict=True))


@dataclass(frozen=True)
class Block:
    """A line of running text, wrapped where it must be.

    Attributes:
        axis: whose tokens; in an encoder's single block the chosen token is one of them too.
        title: what they are.
        shaded: whether these are the tokens that the weights are of.
    """

    axis: Axis
    title: str
    words: Words
    shaded: bool


@dataclass(frozen=True, eq=False)
class WordsSpec:
    """One row or one column of a map, told on the sentence itself.

    Attributes:
        spec: the map.
        incoming: who reads the chosen key, not whom the chosen query reads.
        row, column: the chosen query or key, the other None; both None where nothing can be chosen.
        heading: what is shown, in words: 'predicting “donné” reads:'.
        blocks: one or two lines of text.
    """

    spec: MapSpec
    incoming: bool
    row: int | None
    column: int | None
    heading: str
    blocks: tuple[Block, ...]
    badges: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The map's title."""
        return self.spec.title

    @property
    def kind_name(self) -> str:
        """The map's kind."""
        return self.spec.kind_name

    @property
    def levels(self) -> tuple[float, float]:
        """The map's scale."""
        return self.spec.levels

    @property
    def sqrt_scale(self) -> bool:
        """Whether shades go by the square root."""
        return self.spec.sqrt_scale

    def cell_of(self, block: Block, index: int) -> tuple[int, int] | None:
        """The map's cell that a word stands for; None where it stands for none."""
        if not block.shaded:
            return None
        if self.incoming and self.column is not None:
            return index, self.column
        return (self.row, index) if not self.incoming and self.row is not None else None

    def sentence_at(self, block: Block, index: int) -> str:
        """The map's sentence of a shaded word; of any other, what it is chosen for."""
        cell = self.cell_of(block, index)
        return "" if cell is None else self.spec.sentence_at(*cell)

    def strongest(self) -> str:
        """The map's sentence of the largest weight shown; empty where there is none."""
        cell = self.strongest_cell()
        return "" if cell is None else self.spec.sentence_at(*cell)

    def strongest_cell(self) -> tuple[int, int] | None:
        """The map's cell of the largest weight shown, the first of several; None where there is none."""
        return self._strongest_cell

    @cached_property
    def _strongest_cell(self) -> tuple[int, int] | None:
        shaded = next((block for block in self.blocks if block.shaded), None)
        found = [] if shaded is None else shaded.words.numbered()
        return None if shaded is None or not found else self.cell_of(shaded, found[0][0])
