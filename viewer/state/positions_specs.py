"""What the pictures of a positional encoding's numbers show, beside its heatmap."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.config import PositionLayout
from model.positions import ByOffset, Doubles, Nearest, Turned, pair_columns

SAME = 1e-6
"""Largest difference that the rounding of a float32 table explains."""


@dataclass(frozen=True, eq=False)
class ClocksSpec:
    """Every pair as a hand at one position, and how many positions it takes to turn once.

    Attributes:
        wavelengths: positions a turn, float64 [pair].
        hands: (sine, cosine) as they stand in the table, float64 [pair, 2].
        position: where the hands are.
        count: how many positions the table has.
        pair: the chosen one.
    """

    wavelengths: Doubles
    hands: Doubles
    position: int
    count: int
    pair: int
    base: float
    layout: PositionLayout
    title: str
    badges: tuple[str, ...] = ()

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return len(self.wavelengths)

    def turns(self, pair: int) -> float:
        """How often a pair has turned on its way from position 0."""
        return float(self.position / self.wavelengths[pair])

    def sentence(self, pair: int) -> str:
        """What there is to say of a pair."""
        text = QCoreApplication.translate(
            "Figure",
            "Pair {pair} (dimensions {sine} and {cosine}): one turn in {wavelength} positions, {degrees}° a "
            "position; at position {position}: sine {y}, cosine {x}, {turns} turns",
        )
        sine, cosine = pair_columns(pair, 2 * self.pairs, self.layout)
        wavelength = float(self.wavelengths[pair])
        return text.format(
            pair=pair,
            sine=sine,
            cosine=cosine,
            wavelength=significant(wavelength),
            degrees=significant(360 / wavelength),
            position=self.position,
            y=signed(float(self.hands[pair, 0])),
            x=signed(float(self.hands[pair, 1])),
            turns=significant(self.turns(pair)),
        )


@dataclass(frozen=True, eq=False)
class RotationSpec:
    """R(k) · PE(pos) beside PE(pos + k).

    Attributes:
        turned: the numbers of every pair.
        frequencies: radians a position, float64 [pair].
        position, offset, pair: pos, k, and the pair that is drawn large.
        shown: pairs that are drawn small.
    """

    turned: Turned
    frequencies: Doubles
    position: int
    offset: int
    pair: int
    shown: tuple[int, ...]
    base: float
    layout: PositionLayout
    title: str
    badges: tuple[str, ...] = ()

    @property
    def largest(self) -> float:
        """Largest difference between R(k) · PE(pos) and PE(pos + k), over all pairs."""
        return float(self.turned.differences.max())

    @property
    def worst(self) -> int:
        """The pair that has it."""
        return int(self.turned.differences.argmax())

    @property
    def holds(self) -> bool:
        """Whether rounding explains it."""
        return self.largest <= SAME

    def sentence(self, pair: int) -> str:
        """What there is to say of a pair."""
        text = QCoreApplication.translate(
            "Figure",
            "Pair {pair}: turned by {angle} rad from ({a}, {b}) to ({c}, {d}); the table has ({e}, {f}); "
            "difference {difference}",
        )
        found = self.turned
        values = [*found.before[pair], *found.turned[pair], *found.wanted[pair]]
        return text.format(
            pair=pair,
            angle=significant(float(self.frequencies[pair]) * self.offset),
            **dict(zip("abcdef", (signed(float(value)) for value in values), strict=True)),
            difference=tiny(float(found.differences[pair])),
        )


@dataclass(frozen=True, eq=False)
class DistanceSpec:
    """How alike positions are by how far apart they stand, and how near the nearest two come.

    Attributes:
        by_offset: PE(pos) · PE(pos + k) over the positions shown.
        exact: Σ cos(ω_i k), float64 [offset]; None for a learned table.
        nearest: smallest distances.
        norms: length of every row, float64 [position].
        offset: the chosen k.
    """

    by_offset: ByOffset
    exact: Doubles | None
    nearest: Nearest
    norms: Doubles
    offset: int
    title: str
    badges: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many positions there are."""
        return len(self.norms)

    def offset_sentence(self, offset: int) -> str:
        """What there is to say of two positions so far apart."""
        text = QCoreApplication.translate(
            "Figure",
            "Positions {offset} apart: dot product {mean} on average (from {low} to {high}, standard "
            "deviation {deviation}); cosine {cosine}",
        )
        found = self.by_offset
        said = text.format(
            offset=offset,
            mean=_number(found.mean[offset]),
            low=_number(found.low[offset]),
            high=_number(found.high[offset]),
            deviation=tiny(float(found.deviation[offset])),
            cosine=signed(float(found.cosine[offset])),
        )
        if self.exact is None:
            return said
        exact = QCoreApplication.translate("Figure", "{said}; Σ cos(ω k) = {exact}")
        return exact.format(said=said, exact=_number(self.exact[offset]))

    def position_sentence(self, position: int) -> str:
        """What there is to say of a position."""
        text = QCoreApplication.translate(
            "Figure", "Position {position}: {distance} from the position nearest to it; norm {norm}"
        )
        return text.format(
            position=position,
            distance=_number(self.nearest.by_position[position]),
            norm=_number(self.norms[position]),
        )


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


def signed(value: float) -> str:
    """Four decimals with their sign, a true minus; 0 has none."""
    text = f"{value:+.4f}".replace("-", "−")
    return text[1:] if text[1:] == "0.0000" else text


def significant(value: float) -> str:
    """Four figures; whole numbers with their thousands from 1,000 on."""
    if abs(value) >= 1000:
        return f"{value:,.0f}".replace("-", "−")
    return f"{value:.4g}".replace("-", "−")


def tiny(value: float) -> str:
    """Three figures, or two of what is nearly nothing."""
    if abs(value) >= 0.001:
        return significant(float(f"{value:.3g}"))
    return "0" if value == 0 else f"{value:.1e}".replace("e-0", "e-").replace("-", "−")


def _number(value: float) -> str:
    value = float(value)
    return f"{value:,.3f}".replace("-", "−") if math.isfinite(value) else "–"
