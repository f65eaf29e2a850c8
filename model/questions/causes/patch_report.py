"""Report of what carrying over did: one line a cell, arrays by family. No torch.

Layers, heads, positions and steps count from 0; columns that end in `_number` from 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from model.questions.causes.patching import (
    CAVEAT,
    FORMULA,
    PATH_CAVEAT,
    PATH_SOURCE,
    SOURCE,
    Patched,
    PatchGrid,
    Receiver,
    what_carried,
)
from model.questions.causes.report import Cell, Report
from model.trace.trace import AttentionKind

COLUMNS = (
    "kind",
    "part",
    "layer",
    "head",
    "position",
    "token",
    "m",
    "effect",
    "layer_number",
    "head_number",
    "position_number",
)


def patch_report(found: Patched) -> Report:
    """Facts, a row for every cell (m and effect empty where nothing could be carried) and both as arrays."""
    rows: list[tuple[Cell, ...]] = []
    arrays: dict[str, npt.NDArray[Any]] = {}
    for grid in found.grids:
        name = "_".join(filter(None, (str(grid.kind), grid.part)))
        effects = found.effect(grid.m)
        arrays[f"m_{name}"], arrays[f"effect_{name}"] = grid.m, effects
        tokens = tokens_of(found, grid)
        for layer, column in np.ndindex(grid.m.shape):
            m, effect = float(grid.m[layer, column]), float(effects[layer, column])
            rows.append(_row(grid, layer, column, tokens, m, effect))
    return Report(_facts(found), COLUMNS, rows, arrays, notes_of(found))


def notes_of(found: Patched) -> tuple[str, ...]:
    """Formula, caveat and source."""
    path = found.what == "path"
    formula = FORMULA if found.rival is not None else FORMULA.replace(" − log p(rival)", "")
    return formula, PATH_CAVEAT if path else CAVEAT, PATH_SOURCE if path else SOURCE


def tokens_of(found: Patched, grid: PatchGrid) -> tuple[str, ...]:
    """Pieces that the columns of a grid of positions are; empty for one of heads."""
    if grid.by == "head":
        return ()
    source = grid.kind is AttentionKind.ENCODER_SELF or found.what == "cross"
    return found.source_tokens if source else found.step_tokens


def receiver_words(one: Receiver) -> str:
    """As commands write it, counted from 1: `cross:2:3:q`, or `final`."""
    place = one.place
    return "final" if place is None else f"{place.kind}:{place.layer + 1}:{place.head + 1}:{one.part}"


def _row(
    grid: PatchGrid, layer: int, column: int, tokens: tuple[str, ...], m: float, effect: float
) -> tuple[Cell, ...]:
    if grid.part == "final":
        return (str(grid.kind), "final", None, None, None, None, m, float(effect), None, None, None)
    head = column if grid.by == "head" else None
    position = None if grid.by == "head" else column
    return (
        str(grid.kind),
        grid.part or None,
        layer,
        head,
        position,
        tokens[column] if tokens else None,
        m,
        float(effect),
        layer + 1,
        None if head is None else head + 1,
        None if position is None else position + 1,
    )


def _facts(found: Patched) -> dict[str, Any]:
    formula, caveat, source = notes_of(found)
    facts: dict[str, Any] = {
        "what": found.what,
        "carried": "a head's output, directly" if found.what == "path" else what_carried(found.what),  # type: ignore[arg-type]
        "formula": formula,
        "caveat": caveat,
        "source": source,
        "step": found.step,
        "step_number": found.step + 1,
        "step_of_a": found.step_a,
        "word": found.word_token,
        "rival": found.rival_token or None,
        "m_a": found.m_a,
        "m_b": found.m_b,
        "source_of_a": list(found.source),
        "steps_of_a": list(found.steps),
        "source_tokens": list(found.source_tokens),
        "step_tokens": list(found.step_tokens),
    }
    if found.sender is not None:
        sender = found.sender
        facts["sender"] = {"kind": str(sender.kind), "layer": sender.layer, "head": sender.head}
    if found.together is not None:
        facts["into"] = [receiver_words(one) for one in found.into]
        facts["m_together"] = found.together
        facts["effect_together"] = float(found.effect(found.together))
    return facts
