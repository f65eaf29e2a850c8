"""Building the picture of what carrying over did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from model.questions.causes.patch_report import patch_report, tokens_of
from model.questions.causes.patching import Patched, PatchGrid
from model.trace.trace import Trace
from viewer.document.text.token_text import token_texts
from viewer.figures.difference.text import own_badges, run_caption, side_text
from viewer.figures.effects.spec import EffectGrid, EffectsSpec
from viewer.figures.effects.text import (
    carried_text,
    formula_text,
    grid_name,
    layer_name,
    measure_text,
    missing_text,
    notes_text,
    title_text,
)
from viewer.figures.figure import FigureSpec
from viewer.figures.text import sentence, trace_badges, trace_facts

_LADDER = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
_MOST_COLUMNS = 60  # numbers in cells are read, not sought


def effects_figure(
    found: Patched,
    first: Trace,
    second: Trace,
    *,
    chosen: tuple[int, int, int] | None = None,
    provenances: tuple[Mapping[str, Any], Mapping[str, Any]] = ({}, {}),
) -> FigureSpec[EffectsSpec]:
    """Grids on one scale about 0.

    Args:
        first, second: A and B.
        chosen: grid, row and column of the cell whose translation is shown.
    """
    effects = [found.effect(grid.m) for grid in found.grids]
    largest = max((float(np.nanmax(abs(each), initial=0.0)) for each in effects), default=1.0)
    most = next((step for step in _LADDER if largest <= step), largest)
    badges = [carried_text(found), measure_text(found), formula_text()]
    if any(np.isnan(each).any() for each in effects):
        badges.append(missing_text(found))
    badges += own_badges(*(trace_badges(trace, sqrt_scale=False) for trace in (first, second)))
    grids = tuple(
        _grid(found, grid, each.astype(np.float32), (-most, most), _strong(chosen, place))
        for place, (grid, each) in enumerate(zip(found.grids, effects, strict=True))
    )
    title, notes = title_text(found), notes_text(found)
    spec = EffectsSpec(title, tuple(badges), found, grids, (-most, most), chosen, notes)
    said = [title, *(f"{badge[:1].upper()}{badge[1:]}" for badge in badges)]
    parts = [*map(sentence, said), *notes]
    parts += [
        side_text(side, run_caption(trace, provenance))
        for side, (trace, provenance) in enumerate(zip((first, second), provenances, strict=True))
    ]
    facts = {
        "view": "effects",
        **patch_report(found).facts,
        "badges": badges,
        **{name: trace_facts(trace) for name, trace in zip("ab", (first, second), strict=True)},
    }
    return FigureSpec(spec, " ".join(parts), facts)


def _strong(chosen: tuple[int, int, int] | None, place: int) -> tuple[tuple[int, int], ...]:
    return ((chosen[1], chosen[2]),) if chosen is not None and chosen[0] == place else ()


def _grid(
    found: Patched,
    grid: PatchGrid,
    effects: np.ndarray[Any, np.dtype[np.float32]],
    levels: tuple[float, float],
    strong: tuple[tuple[int, int], ...],
) -> EffectGrid:
    tokens = tokens_of(found, grid)
    names = [token.marked for token in token_texts(tokens, starts=True)]
    columns = names or [str(column + 1) for column in range(grid.m.shape[1])]
    final = grid.part == "final"
    return EffectGrid(
        grid_name(grid, found.what),
        effects,
        [""] if final else [layer_name(layer) for layer in range(len(grid.m))],
        [""] if final else columns,
        levels,
        masked=np.isnan(effects),
        strong=strong,
        written=grid.m.shape[1] <= _MOST_COLUMNS,
        decimals=2,
        share=max(3.0, grid.m.shape[1]),
        m=grid.m,
    )
