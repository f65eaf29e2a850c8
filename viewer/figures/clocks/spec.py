"""ClocksSpec: every pair of a sinusoidal encoding as a hand."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from model.config import PositionLayout
from model.positions.positions import Doubles, pair_columns
from viewer.document.positions.positions_table import grouped
from viewer.figures.canvas.numerals import signed, significant


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

    def formula(self) -> str:
        """How fast pair i turns."""
        text = QCoreApplication.translate(
            "Figure",
            "Pair i = (sin ω_i pos, cos ω_i pos) is a hand that turns clockwise by "
            "ω_i = {base}^(−2i/{dimensions}) radians a position: once in 2π/ω_i positions.",
        )
        return text.format(base=grouped(self.base).replace(",", ""), dimensions=2 * self.pairs)
