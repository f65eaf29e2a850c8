"""The figures of rotations of queries and keys (RoPE, Su et al. 2021, arXiv 2104.09864, section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.positions import Doubles, Turned
from viewer.state.figure import Body, FigureSpec
from viewer.state.figure_text import made_by, sentence
from viewer.state.positions_builder import DEFAULT_COUNT
from viewer.state.positions_figures import SMALL_CIRCLES, spread, within
from viewer.state.positions_known import Rotary
from viewer.state.positions_specs import tiny
from viewer.state.rotary_specs import AnglesSpec, RotaryClocksSpec, RotaryRotationSpec


def opening_pairs(pairs: int) -> tuple[int, ...]:
    """Pairs whose speeds are well apart, to draw where none are chosen."""
    return tuple(sorted({0, pairs // 4, pairs // 2} & set(range(pairs))))


def angles_figure(
    rotary: Rotary,
    curves: Sequence[int],
    *,
    count: int | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> FigureSpec:
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
    return _figure(spec, rotary, [nothing_added()], facts)


def rotary_clocks_figure(rotary: Rotary, *, position: int, pair: int) -> FigureSpec:
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
    return _figure(spec, rotary, [spec.formula()], facts)


def rotary_rotation_figure(rotary: Rotary, *, position: int, offset: int, pair: int) -> FigureSpec:
    """R(p)ᵀ R(p + k) = R(k): why only the distance counts, pair by pair."""
    position = within(position, rotary.count)
    offset = within(offset, rotary.count - position)
    pair = within(pair, rotary.pairs)
    title = QCoreApplication.translate(
        "Figure", "Only the distance counts: key at {position}, query at {other}, {offset} apart"
    )
    spec = RotaryRotationSpec(
        turned=_products(rotary, position, offset),
        frequencies=rotary.fact.inverse_frequencies,
        position=position,
        offset=offset,
        pair=pair,
        shown=spread(rotary.pairs, SMALL_CIRCLES),
        base=rotary.fact.base,
        layout=rotary.fact.layout,
        title=title.format(position=position, other=position + offset, offset=offset),
        badges=rotary.badges,
        first=_matrices(rotary, position),
        second=_matrices(rotary, position + offset),
        wanted=_matrices(rotary, offset),
    )
    formula = QCoreApplication.translate(
        "Figure", "(R(p) key) · (R(p + k) query) = key · R(p)ᵀ R(p + k) query = key · R(k) query"
    )
    checked = QCoreApplication.translate(
        "Figure", "Largest difference over all {pairs} pairs: {difference} (pair {pair})"
    ).format(pairs=rotary.pairs, difference=tiny(spec.largest), pair=spec.worst)
    facts = {
        "view": "positions_rotation",
        "position": position,
        "offset": offset,
        "pair": pair,
        "largest_difference": spec.largest,
        "largest_difference_pair": spec.worst,
    }
    return _figure(spec, rotary, [formula, checked], facts)


def nothing_added() -> str:
    """What the angles are for."""
    return QCoreApplication.translate(
        "Figure", "cos p ω and sin p ω turn queries and keys; nothing is added to the embeddings"
    )


def _matrices(rotary: Rotary, position: int) -> Doubles:
    """R = [[cos, -sin], [sin, cos]] of every pair at a position, float64 [pair, 2, 2]."""
    angle = position * rotary.fact.inverse_frequencies
    cos, sin = np.cos(angle), np.sin(angle)
    return np.stack([np.stack([cos, -sin], axis=-1), np.stack([sin, cos], axis=-1)], axis=-2)


def _products(rotary: Rotary, position: int, offset: int) -> Turned:
    """R(p)ᵀ R(p + k) beside R(k); arrows where (1, 0) goes, its second dimension before its first."""
    first, second = _matrices(rotary, position), _matrices(rotary, position + offset)
    product, wanted = first.transpose(0, 2, 1) @ second, _matrices(rotary, offset)
    return Turned(
        before=first[:, ::-1, 0],
        wanted=second[:, ::-1, 0],
        turned=(wanted @ first)[:, ::-1, 0],
        matrices=product,
        differences=np.abs(product - wanted).max(axis=(1, 2)),
    )


def _figure(body: Body, rotary: Rotary, said: Sequence[str], facts: dict[str, Any]) -> FigureSpec:
    source = QCoreApplication.translate("Figure", "RoPE: Su et al. 2021, arXiv 2104.09864")
    words = [sentence(text) for text in (body.title, *said, source)]
    words += [sentence(f"{badge[:1].upper()}{badge[1:]}") for badge in body.badges]
    words.append(made_by(rotary.model_name, rotary.model_sha256, ""))
    return FigureSpec(body, " ".join(words), {**rotary.facts(), **facts, "badges": list(body.badges)})
