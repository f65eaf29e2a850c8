"""Clocks as CSV: a line a pair, with its hand at the position."""

from __future__ import annotations

import math

from model.positions.positions import pair_columns
from viewer.figures.clocks.rotary import RotaryClocksSpec
from viewer.figures.clocks.spec import ClocksSpec
from viewer.figures.table import Rows, exact


def clocks_rows(spec: ClocksSpec) -> Rows:
    """Header and lines."""
    yield (
        "pair", "sine_dimension", "cosine_dimension", "frequency", "wavelength", "position", "sine", "cosine",
        "turns",
    )  # fmt: skip
    for pair in range(spec.pairs):
        wavelength = float(spec.wavelengths[pair])
        yield (
            pair,
            *pair_columns(pair, 2 * spec.pairs, spec.layout),
            exact(2 * math.pi / wavelength),
            exact(wavelength),
            spec.position,
            *map(exact, spec.hands[pair]),
            exact(spec.turns(pair)),
        )


def rotary_clocks_rows(spec: RotaryClocksSpec) -> Rows:
    """Header and lines."""
    yield (
        "pair",
        "first_dimension",
        "second_dimension",
        "frequency",
        "wavelength",
        "position",
        "angle",
        "turns",
    )
    for pair in range(spec.pairs):
        frequency = 2 * math.pi / float(spec.wavelengths[pair])
        columns = pair_columns(pair, 2 * spec.pairs, spec.layout)
        numbers = (frequency, spec.wavelengths[pair])
        angle = frequency * spec.position
        yield (pair, *columns, *map(exact, numbers), spec.position, exact(angle), exact(spec.turns(pair)))
