"""A rotation as CSV: a line a pair."""

from __future__ import annotations

from viewer.figures.rotation.rotary import RotaryRotationSpec
from viewer.figures.rotation.spec import RotationSpec
from viewer.figures.table import Rows, exact


def rotation_rows(spec: RotationSpec) -> Rows:
    """Header and lines."""
    yield (
        "pair", "position", "offset", "angle", "cos_angle", "sin_angle", "sine", "cosine", "turned_sine",
        "turned_cosine", "table_sine", "table_cosine", "difference",
    )  # fmt: skip
    found = spec.turned
    for pair, frequency in enumerate(spec.frequencies):
        yield (
            pair,
            spec.position,
            spec.offset,
            exact(float(frequency) * spec.offset),
            *map(exact, found.matrices[pair, 0]),
            *map(exact, found.before[pair]),
            *map(exact, found.turned[pair]),
            *map(exact, found.wanted[pair]),
            exact(found.differences[pair]),
        )


def rotary_rotation_rows(spec: RotaryRotationSpec) -> Rows:
    """Header and lines."""
    yield (
        "pair", "key_position", "query_position", "key_angle", "query_angle", "angle", "cos_angle",
        "sin_angle", "product_cos", "product_sin", "difference",
    )  # fmt: skip
    for pair, frequency in enumerate(spec.frequencies):
        key, query = spec.position, spec.position + spec.offset
        numbers = (
            *(float(frequency) * place for place in (key, query, spec.offset)),
            *spec.wanted[pair, :, 0],
            *spec.turned.matrices[pair, :, 0],
            spec.turned.differences[pair],
        )
        yield (pair, key, query, *map(exact, numbers))
