"""Report of what carrying over did: one line a cell, arrays by family. No torch.

Layers, heads, positions and steps count from 0; columns that end in `_number` from 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from model.questions.causes.patching import (
    CAVEAT,
    FORMULA,
    PATH_CARRIED,
    PATH_CAVEAT,
    PATH_SOURCE,
    SOURCE,
    Patched,
    PatchGrid,
    what_carried,
)
from model.questions.causes.places import receiver_words
from model.questions.causes.report import Cell, Report
from model.trace.trace import AttentionKind, Trace

COLUMNS = (
    *("kind", "part", "layer", "layer_number", "head", "head_number", "position", "position_number"),
    *("token", "m", "effect"),
)

_MOST = 3
_PLACES = ("layer", "head", "position")


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
    told = (*notes_of(found)[:2], f"Source: {notes_of(found)[2]}")
    return Report(_facts(found), COLUMNS, rows, arrays, told, top="effect", meaning=_meaning(found, rows))


def pair_facts(a: Trace, b: Trace) -> dict[str, Any]:
    """What a report of two decodings says first."""
    return {
        "model": b.model_name,
        "model_sha256": b.model_sha256,
        "a_text": a.src_text,
        "a_translation": a.tgt_text,
        "b_text": b.src_text,
        "b_translation": b.tgt_text,
    }


def _meaning(found: Patched, rows: Sequence[tuple[Cell, ...]]) -> tuple[str, ...]:
    """What m is in both runs, and the cell that does most."""
    word, rival = found.word_token, found.rival_token
    m = f"log p({word}) − log p({rival})" if found.rival is not None else f"log p({word})"
    said = [
        f"m = {m} at step {found.step + 1} of B: {found.m_a:.2f} in A, {found.m_b:.2f} in B. An effect "
        "of 0 is as in B, of 1 as in A."
    ]
    lines = (dict(zip(COLUMNS, row, strict=True)) for row in rows)
    known = [(line["effect"], line) for line in lines if _is_known(line["effect"])]
    largest = sorted(known, key=lambda each: -abs(each[0]))[:_MOST]
    if largest:
        told = ", ".join(f"{_place(line)} {effect:.2f}" for effect, line in largest)
        said.append(f"Most is done by {told}.")
    return (" ".join(said),)


def _place(line: Mapping[str, Cell]) -> str:
    """Where a row is, counted from 1."""
    if line["part"] == "final":
        return "the last residual sum"
    numbers = [f"{name} {line[f'{name}_number']}" for name in _PLACES if line[name] is not None]
    return " ".join(str(each) for each in (line["kind"], line["part"], *numbers, line["token"]) if each)


def _is_known(effect: Cell) -> TypeGuard[float]:
    return isinstance(effect, float) and math.isfinite(effect)


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


def _row(
    grid: PatchGrid, layer: int, column: int, tokens: tuple[str, ...], m: float, effect: float
) -> tuple[Cell, ...]:
    if grid.part == "final":
        return (str(grid.kind), "final", *(None,) * 7, m, effect)
    head = column if grid.by == "head" else None
    position = None if grid.by == "head" else column
    return (
        str(grid.kind),
        grid.part or None,
        layer,
        layer + 1,
        head,
        None if head is None else head + 1,
        position,
        None if position is None else position + 1,
        tokens[column] if tokens else None,
        m,
        effect,
    )


def _facts(found: Patched) -> dict[str, Any]:
    formula, caveat, source = notes_of(found)
    facts: dict[str, Any] = {
        "what": found.what,
        "carried": PATH_CARRIED if found.what == "path" else what_carried(found.what),  # type: ignore[arg-type]
        "formula": formula,
        "caveat": caveat,
        "source": source,
        "step": found.step,
        "step_number": found.step + 1,
        "step_of_a": found.step_a,
        "step_of_a_number": None if found.step_a is None else found.step_a + 1,
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
