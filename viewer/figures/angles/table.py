"""Angles as CSV: a line a position and pair, everything counted from 0."""

from __future__ import annotations

from viewer.figures.angles.spec import AnglesSpec
from viewer.figures.table import Rows, exact, number


def angles_rows(spec: AnglesSpec) -> Rows:
    """Header and lines."""
    yield "position", "pair", "frequency", "cosine", "sine"
    for position, (cosines, sines) in enumerate(zip(spec.cosines, spec.sines, strict=True)):
        for pair, frequency in enumerate(spec.frequencies):
            yield position, pair, exact(frequency), number(cosines[pair]), number(sines[pair])
