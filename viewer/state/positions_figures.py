"""The figures of a positional encoding's numbers: hands, rotation, distances, two bases.

Every builder takes a `PositionTable`; whatever is out of range is clamped. `clocks_figure` and
`rotation_figure` are of sinusoids only: they raise `HeadscopeError` for a learned table.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.errors import HeadscopeError
from model.positions import (
    ByOffset,
    Nearest,
    exact_similarity,
    frequencies,
    hands,
    similarity_by_offset,
    sinusoidal_distances,
    smallest_distance,
    turned,
    wavelengths,
)
from viewer.state.figure import Body, FigureSpec
from viewer.state.figure_text import made_by, sentence
from viewer.state.positions_specs import (
    BaseNumbers,
    BasesSpec,
    ClocksSpec,
    DistanceSpec,
    RotationSpec,
    tiny,
)
from viewer.state.positions_table import PAPER_BASE, PositionTable, grouped

SMALL_CIRCLES = 8


def clocks_figure(table: PositionTable, *, position: int, pair: int) -> FigureSpec:
    """The hand of every pair at a position, and every pair's wavelength 2π/ω."""
    base = _base(table)
    position = within(position, len(table.rows))
    title = QCoreApplication.translate("Figure", "Wavelengths: {pairs} pairs at position {position}")
    spec = ClocksSpec(
        wavelengths=wavelengths(table.dimensions, base),
        hands=hands(table.rows[position], table.layout),
        position=position,
        count=len(table.rows),
        pair=within(pair, table.pairs),
        base=base,
        layout=table.layout,
        title=title.format(pairs=table.pairs, position=position),
        badges=table.badges,
    )
    formula = QCoreApplication.translate(
        "Figure", "Pair i turns by ω_i = base^(−2i/d_model) radians a position (paper, 3.5)"
    )
    facts = {"view": "positions_wavelengths", "position": spec.position, "pair": spec.pair}
    return _figure(spec, table, [formula], facts)


def rotation_figure(table: PositionTable, *, position: int, offset: int, pair: int) -> FigureSpec:
    """R(k) · PE(pos), pair by pair, beside the table's own PE(pos + k)."""
    base = _base(table)
    position = within(position, len(table.rows))
    offset = within(offset, len(table.rows) - position)
    pair = within(pair, table.pairs)
    title = QCoreApplication.translate("Figure", "Rotation: position {position}, offset {offset}")
    spec = RotationSpec(
        turned=turned(table.rows, position, offset, base=base, layout=table.layout),
        frequencies=frequencies(table.dimensions, base),
        position=position,
        offset=offset,
        pair=pair,
        shown=spread(table.pairs, SMALL_CIRCLES),
        base=base,
        layout=table.layout,
        title=title.format(position=position, offset=offset),
        badges=table.badges,
    )
    formula = QCoreApplication.translate("Figure", "PE(pos + k) = R(k) · PE(pos) (paper, 3.5)")
    checked = QCoreApplication.translate(
        "Figure", "Largest difference over all {pairs} pairs: {difference} (pair {pair})"
    ).format(pairs=table.pairs, difference=tiny(spec.largest), pair=spec.worst)
    facts = {
        "view": "positions_rotation",
        "position": position,
        "offset": offset,
        "pair": pair,
        "largest_difference": spec.largest,
        "largest_difference_pair": spec.worst,
    }
    return _figure(spec, table, [formula, checked], facts)


def distance_figure(table: PositionTable, *, count: int, offset: int) -> FigureSpec:
    """Dot product by offset, and the smallest distance between two of the first `count` positions."""
    rows = table.rows[: max(1, count)]
    title = QCoreApplication.translate("Figure", "Distance of positions: the first {count}")
    by_offset, nearest = _measured(table, len(rows))
    spec = DistanceSpec(
        by_offset=by_offset,
        exact=None if table.base is None else exact_similarity(len(rows), table.dimensions, table.base),
        nearest=nearest,
        norms=np.linalg.norm(rows.astype(np.float64), axis=1),
        offset=within(offset, len(rows)),
        title=title.format(count=len(rows)),
        badges=(*_first_of(len(rows), table), *table.badges),
    )
    facts = {
        "view": "positions_distance",
        "positions": len(rows),
        "smallest_distance": None if nearest.pair is None else nearest.distance,
        "smallest_pair": None if nearest.pair is None else list(nearest.pair),
    }
    said = []
    if nearest.pair is not None:
        text = QCoreApplication.translate(
            "Figure", "Smallest distance {distance}, between positions {first} and {second}"
        )
        first, second = nearest.pair
        said = [text.format(distance=f"{nearest.distance:.4f}", first=first, second=second)]
    return _figure(spec, table, said, facts)


def bases_figure(table: PositionTable, *, other: float, count: int, offset: int, pair: int) -> FigureSpec:
    """Sinusoids of the table's d_model with the paper's base 10000 beside those with another base."""
    dimensions = max(2, table.dimensions - table.dimensions % 2)
    count = max(1, count)
    title = QCoreApplication.translate("Figure", "Base {first} beside {second}: d_model {dimensions}")
    badge = QCoreApplication.translate("Figure", "by the formula, no model's table")
    if table.chosen:
        badge = QCoreApplication.translate("Figure", "not this model's: d_model {dimensions}")
    spec = BasesSpec(
        sides=(_of_base(PAPER_BASE, dimensions, count), _of_base(other, dimensions, count)),
        dimensions=dimensions,
        offset=within(offset, count),
        pair=within(pair, dimensions // 2),
        title=title.format(first=grouped(PAPER_BASE), second=grouped(other), dimensions=dimensions),
        badges=(badge.format(dimensions=dimensions),),
    )
    facts = {"view": "positions_bases", "bases": [PAPER_BASE, other], "positions": count}
    return _figure(spec, table, [], facts)


def spread(count: int, most: int) -> tuple[int, ...]:
    """At most so many of the numbers below `count`, evenly apart, the first and the last among them."""
    if count <= most:
        return tuple(range(count))
    return tuple(round(index * (count - 1) / (most - 1)) for index in range(most))


@lru_cache(maxsize=2)
def _measured(table: PositionTable, count: int) -> tuple[ByOffset, Nearest]:
    """What takes longest, kept while only the offset is moved."""
    rows = table.rows[:count]
    return similarity_by_offset(rows), smallest_distance(rows)


def _of_base(base: float, dimensions: int, count: int) -> BaseNumbers:
    cosine = exact_similarity(count, dimensions, base) / (dimensions / 2)
    distances = sinusoidal_distances(count, dimensions, base)
    apart = 0 if count < 2 else 1 + int(np.argmin(distances[1:]))
    smallest = float("inf") if count < 2 else float(distances[apart])
    return BaseNumbers(base, wavelengths(dimensions, base), cosine, smallest, apart)


def _base(table: PositionTable) -> float:
    if table.base is None:
        raise HeadscopeError("positions_learned", name=table.model_name or "?")
    return table.base


def within(value: int, count: int) -> int:
    """The nearest of the numbers below `count`."""
    return max(0, min(value, count - 1))


def _first_of(shown: int, table: PositionTable) -> tuple[str, ...]:
    if shown == len(table.rows) or table.chosen:
        return ()
    text = QCoreApplication.translate("Figure", "first {positions} of {all} positions")
    return (text.format(positions=shown, all=len(table.rows)),)


def _figure(body: Body, table: PositionTable, said: Sequence[str], facts: dict[str, Any]) -> FigureSpec:
    words = [sentence(text) for text in (body.title, *said)]
    words += [sentence(f"{badge[:1].upper()}{badge[1:]}") for badge in body.badges]
    words.append(made_by(table.model_name, table.model_sha256, ""))
    return FigureSpec(body, " ".join(words), {**table.facts(), **facts, "badges": list(body.badges)})
