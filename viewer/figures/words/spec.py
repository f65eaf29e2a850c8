"""WordsSpec: the sentence as running text, each token shaded by the attention of, or to, the chosen one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from operator import itemgetter

from viewer.document.text.token_text import TokenText
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
    words: tuple[Word, ...]
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
        weighty = (
            (abs(word.weight), block, word)
            for block in self.blocks
            if block.shaded
            for word in block.words
            if word.weight is not None
        )
        best = max(weighty, key=itemgetter(0), default=None)
        return None if best is None else self.cell_of(best[1], best[2].index)
