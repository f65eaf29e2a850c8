"""Building the angles of queries and keys that are turned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from viewer.document.positions.positions_known import Rotary
from viewer.figures.angles.of_rotary import rotary_figure
from viewer.figures.angles.spec import AnglesSpec, nothing_added
from viewer.figures.encoding.build import DEFAULT_COUNT
from viewer.figures.figure import FigureSpec


def opening_pairs(pairs: int) -> tuple[int, ...]:
    """Pairs whose speeds are well apart, to draw where none are chosen."""
    return tuple(sorted({0, pairs // 4, pairs // 2} & set(range(pairs))))


def angles_figure(
    rotary: Rotary,
    curves: Sequence[int],
    *,
    count: int | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> FigureSpec[AnglesSpec]:
    """cos p ω_i and sin p ω_i of positions and pairs, and what pairs add to a score by distance.

    Args:
        curves: pairs to draw as curves; those that do not exist are left out.
        count: how many positions to show, the first 128 (or all) by default.
    """
    translate = QCoreApplication.translate
    shown = min(DEFAULT_COUNT if count is None else max(1, count), rotary.count)
    turning = rotary.fact.inverse_frequencies
    angle = np.arange(shown, dtype=np.float64)[:, None] * turning
    kept = tuple(dict.fromkeys(pair for pair in curves if 0 <= pair < rotary.pairs))
    title = translate("Figure", "Rotary positions: angles of {pairs} pairs at {positions} positions")
    badges = rotary.badges
    if shown < rotary.fact.max_positions:
        text = translate("Figure", "first {positions} of {all} positions")
        badges = (text.format(positions=shown, all=rotary.fact.max_positions), *badges)
    spec = AnglesSpec(
        cosines=np.cos(angle).astype(np.float32),
        sines=np.sin(angle).astype(np.float32),
        frequencies=turning,
        mean=np.cos(angle).mean(axis=1),
        curves=kept,
        title=title.format(pairs=rotary.pairs, positions=shown),
        badges=badges,
    )
    facts = {
        "view": "positions",
        "positions": shown,
        "curves": list(kept),
        "provenance": dict(provenance or {}),
    }
    return rotary_figure(spec, rotary, [nothing_added()], facts)
