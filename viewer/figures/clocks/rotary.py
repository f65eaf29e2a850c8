"""RotaryClocksSpec: the hands of queries and keys that are turned (RoPE), and how it is built."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.positions.positions import pair_columns
from viewer.document.positions.positions_known import Rotary
from viewer.document.positions.positions_table import grouped
from viewer.figures.angles.of_rotary import rotary_figure
from viewer.figures.canvas.numerals import significant
from viewer.figures.clocks.spec import ClocksSpec
from viewer.figures.encoding.of_table import within
from viewer.figures.figure import FigureSpec


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
            "At position p the two dimensions of pair i, of every query and key, are rotated by the "
            "angle p ω_i that its hand shows, with ω_i = {base}^(−2i/{dimensions}).",
        )
        if self.scaling:
            text = translate(
                "Figure",
                "At position p the two dimensions of pair i, of every query and key, are rotated by "
                "the angle p ω_i that its hand shows; ω_i is {base}^(−2i/{dimensions}) changed by the "
                "rule {rule}.",
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


def rotary_clocks_figure(rotary: Rotary, *, position: int, pair: int) -> FigureSpec[ClocksSpec]:
    """By what angle every pair is turned at a position, and every pair's wavelength 2π/ω."""
    position, pair = within(position, rotary.count), within(pair, rotary.pairs)
    angle = position * rotary.fact.inverse_frequencies
    title = QCoreApplication.translate("Figure", "Wavelengths: {pairs} pairs at position {position}")
    spec = RotaryClocksSpec(
        wavelengths=rotary.wavelengths,
        hands=np.stack([np.sin(angle), np.cos(angle)], axis=-1),
        position=position,
        count=rotary.count,
        pair=pair,
        base=rotary.fact.base,
        layout=rotary.fact.layout,
        title=title.format(pairs=rotary.pairs, position=position),
        badges=rotary.badges,
        scaling=rotary.fact.scaling,
    )
    facts = {"view": "positions_wavelengths", "position": position, "pair": pair}
    return rotary_figure(spec, rotary, [spec.formula()], facts)
