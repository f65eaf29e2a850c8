"""BasesSpec: sinusoids of two bases beside each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.positions.positions import Doubles
from viewer.figures.canvas.numerals import signed, significant


@dataclass(frozen=True, eq=False)
class BaseNumbers:
    """What a base makes of the encoding.

    Attributes:
        wavelengths: float64 [pair].
        cosine: similarity of positions k apart, float64 [offset].
        smallest: smallest distance between two of the positions, infinite where there is only one.
        apart: how far apart the nearest two stand.
    """

    base: float
    wavelengths: Doubles
    cosine: Doubles
    smallest: float
    apart: int

    @property
    def longest(self) -> float:
        """Positions that the slowest pair takes to turn once."""
        return float(self.wavelengths[-1])

    @property
    def turning(self) -> int:
        """How many pairs turn at least once within the positions."""
        return int(np.count_nonzero(self.wavelengths <= len(self.cosine)))


@dataclass(frozen=True, eq=False)
class BasesSpec:
    """The same encoding with two bases.

    Attributes:
        sides: the paper's base, and the other.
        dimensions: d_model.
        offset, pair: what is marked.
    """

    sides: tuple[BaseNumbers, BaseNumbers]
    dimensions: int
    offset: int
    pair: int
    title: str
    badges: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many positions there are."""
        return len(self.sides[0].cosine)

    def pair_sentence(self, pair: int) -> str:
        """What there is to say of a pair."""
        text = QCoreApplication.translate(
            "Figure", "Pair {pair}: one turn in {a} positions with base {first}, in {b} with base {second}"
        )
        return text.format(
            pair=pair,
            a=significant(float(self.sides[0].wavelengths[pair])),
            b=significant(float(self.sides[1].wavelengths[pair])),
            first=f"{self.sides[0].base:,.0f}",
            second=f"{self.sides[1].base:,.0f}",
        )

    def offset_sentence(self, offset: int) -> str:
        """What there is to say of two positions so far apart."""
        text = QCoreApplication.translate(
            "Figure", "Positions {offset} apart: cosine {a} with base {first}, {b} with base {second}"
        )
        return text.format(
            offset=offset,
            a=signed(float(self.sides[0].cosine[offset])),
            b=signed(float(self.sides[1].cosine[offset])),
            first=f"{self.sides[0].base:,.0f}",
            second=f"{self.sides[1].base:,.0f}",
        )
