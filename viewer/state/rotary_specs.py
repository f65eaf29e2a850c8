"""What the pictures of rotations of queries and keys show."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.positions import Doubles, pair_columns
from viewer.state.head_grid import Matrix
from viewer.state.positions_specs import ClocksSpec, RotationSpec, signed, significant, tiny
from viewer.state.positions_table import grouped


@dataclass(frozen=True, eq=False)
class AnglesSpec:
    """The tables of cosines and sines by which queries and keys are turned.

    Attributes:
        cosines, sines: float32 [position, pair].
        frequencies: radians a position, float64 [pair].
        mean: mean of the cosines over the pairs, float64 [position].
        curves: pairs that are drawn as curves.
    """

    cosines: Matrix
    sines: Matrix
    frequencies: Doubles
    mean: Doubles
    curves: tuple[int, ...]
    title: str
    badges: tuple[str, ...] = ()

    def sentence(self, position: int, pair: int) -> str:
        """What there is to say of a pair at a position."""
        text = QCoreApplication.translate(
            "Figure", "Position {position}, pair {pair}: turned by {angle} rad; cos {cosine}, sin {sine}"
        )
        return text.format(
            position=position,
            pair=pair,
            angle=significant(position * float(self.frequencies[pair])),
            cosine=signed(float(self.cosines[position, pair])),
            sine=signed(float(self.sines[position, pair])),
        )

    def distance_sentence(self, distance: int) -> str:
        """What there is to say of a distance."""
        text = QCoreApplication.translate(
            "Figure", "Query and key {distance} apart: mean over all pairs {mean}"
        )
        return text.format(distance=distance, mean=signed(float(self.mean[distance])))


@dataclass(frozen=True, eq=False)
class RotaryClocksSpec(ClocksSpec):
    """Every pair as a hand that has turned by the angle of its queries and keys.

    Attributes:
        scaling: the rule that changed the frequencies, empty if none.
    """

    scaling: str = ""

    def formula(self) -> str:
        """How fast pair i turns."""
        translate = QCoreApplication.translate
        text = translate(
            "Figure",
            "At position p the two dimensions of pair i, of every query and key, are turned by the angle "
            "p ω_i that its hand shows, with ω_i = {base}^(−2i/{dimensions}).",
        )
        if self.scaling:
            text = translate(
                "Figure",
                "At position p the two dimensions of pair i, of every query and key, are turned by the angle "
                "p ω_i that its hand shows; ω_i is {base}^(−2i/{dimensions}) changed by the rule {rule}.",
            )
        base = grouped(self.base).replace(",", "")
        return text.format(base=base, dimensions=2 * self.pairs, rule=self.scaling)

    def sentence(self, pair: int) -> str:
        """What there is to say of a pair."""
        translate, wavelength = QCoreApplication.translate, float(self.wavelengths[pair])
        first, second = pair_columns(pair, 2 * self.pairs, self.layout)
        if not np.isfinite(wavelength):
            text = translate("Figure", "Pair {pair} (dimensions {first} and {second}) never turns")
            return text.format(pair=pair, first=first, second=second)
        text = translate(
            "Figure",
            "Pair {pair} (dimensions {first} and {second} of a head): one turn in {wavelength} positions, "
            "{degrees}° a position; at position {position} turned by {angle} rad, {turns} turns",
        )
        return text.format(
            pair=pair,
            first=first,
            second=second,
            wavelength=significant(wavelength),
            degrees=significant(360 / wavelength),
            position=self.position,
            angle=significant(2 * np.pi * self.turns(pair)),
            turns=significant(self.turns(pair)),
        )


@dataclass(frozen=True, eq=False)
class RotaryRotationSpec(RotationSpec):
    """R(p)ᵀ R(p + k) beside R(k); `turned.matrices` has the products.

    Attributes:
        first, second, wanted: R(p), R(p + k) and R(k) of every pair, float64 [pair, 2, 2].
    """

    first: Doubles = field(default_factory=lambda: np.zeros((0, 2, 2)))
    second: Doubles = field(default_factory=lambda: np.zeros((0, 2, 2)))
    wanted: Doubles = field(default_factory=lambda: np.zeros((0, 2, 2)))

    def sentence(self, pair: int) -> str:
        """What there is to say of a pair."""
        text = QCoreApplication.translate(
            "Figure",
            "Pair {pair}: the key is turned by {a} rad, the query by {b}; between them {c} rad, as for any "
            "two {offset} apart; difference {difference}",
        )
        speed = float(self.frequencies[pair])
        return text.format(
            pair=pair,
            a=significant(speed * self.position),
            b=significant(speed * (self.position + self.offset)),
            c=significant(speed * self.offset),
            offset=self.offset,
            difference=tiny(float(self.turned.differences[pair])),
        )
