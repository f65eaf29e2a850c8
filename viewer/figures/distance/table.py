"""Distances as CSV: a line an offset, then a line a position (`what` tells)."""

from __future__ import annotations

from viewer.figures.distance.spec import DistanceSpec
from viewer.figures.table import Rows, exact


def distance_rows(spec: DistanceSpec) -> Rows:
    """Header and lines."""
    yield (
        "what", "index", "dot_mean", "dot_low", "dot_high", "dot_deviation", "cosine_mean", "dot_exact",
        "nearest_distance", "norm",
    )  # fmt: skip
    found = spec.by_offset
    for offset in range(spec.count):
        dot = "" if spec.exact is None else exact(spec.exact[offset])
        numbers = (found.mean, found.low, found.high, found.deviation, found.cosine)
        yield "offset", offset, *(exact(values[offset]) for values in numbers), dot, "", ""
    for position in range(spec.count):
        nearest = exact(spec.nearest.by_position[position])
        yield "position", position, "", "", "", "", "", "", nearest, exact(spec.norms[position])
