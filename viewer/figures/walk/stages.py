"""The stages of a stack in the order of computation, and how vectors lead from one to the next."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from model.questions.answers import Walk, WalkStep
from model.trace.trace import Floats, Side

MOST_LAYERS = 9
"""So many layers of a stack have a block of their own; the others share two."""


class Stage(NamedTuple):
    """A stage as in `WalkStep`."""

    stage: str
    sublayer: str
    layer: int | None


def stages(side: Side, layers: int, *, pre_norm: bool) -> tuple[Stage, ...]:
    """What a walk through such a stack passes."""
    found = [Stage(name, name, None) for name in ("embedding", "position", "sum")]
    names = ("self_attention", "feed_forward")
    if side == "target":
        names = ("self_attention", "cross", "feed_forward")  # type: ignore[assignment]
    for layer in range(layers):
        for name in names:
            order = ("norm", name, "residual") if pre_norm else (name, "residual", "norm")
            found += [Stage(stage, name, layer) for stage in order]
    if pre_norm:
        found.append(Stage("final_norm", "final_norm", None))
    return tuple(found)


def stages_of(walk: Walk) -> tuple[Stage, ...]:
    """The stages that a walk passed."""
    return tuple(Stage(step.stage, step.sublayer, step.layer) for step in walk.steps)


def is_pre_norm(passed: tuple[Stage, ...]) -> bool:
    """Whether a stack normalises before its sub-layers."""
    return len(passed) > 3 and passed[3].stage == "norm"


def layers_of(passed: tuple[Stage, ...]) -> int:
    """How many layers a stack has."""
    return 1 + max((stage.layer for stage in passed if stage.layer is not None), default=-1)


def layer_groups(layers: int, opened: int, most: int = MOST_LAYERS) -> tuple[range, ...]:
    """Layers with a block each, around the one that is open; the many before and after have one together."""
    low = max(0, min(opened - most // 2, layers - most))
    high = min(layers, low + most)
    groups = [range(low)] if low else []
    groups += [range(layer, layer + 1) for layer in range(low, high)]
    return (*groups, range(high, layers)) if high < layers else tuple(groups)


def entering(steps: tuple[WalkStep, ...], index: int) -> Floats | None:
    """The vector that a stage changes: of a sum what the sub-layer began with, of a norm what it reads.

    None where nothing enters (embedding, position), and for a sub-layer, which makes a vector of its own.
    """
    step = steps[index]
    if step.stage == "sum":
        return steps[0].vector
    if step.stage in ("norm", "final_norm"):
        return step.before
    return stream_before(steps, index) if step.stage == "residual" else None


def stream_before(steps: tuple[WalkStep, ...], index: int) -> Floats:
    """The vector on the residual stream before the sub-layer that a residual sum adds."""
    pre_norm = len(steps) > 3 and steps[3].stage == "norm"
    on_stream = ("sum", "residual") if pre_norm else ("sum", "norm")
    return next(step.vector for step in reversed(steps[: index - 1]) if step.stage in on_stream)


def length(vector: Floats) -> float:
    """Euclidean length."""
    return float(np.linalg.norm(vector.astype(np.float64)))


def change(steps: tuple[WalkStep, ...], index: int) -> float | None:
    """By how much a stage makes the vector longer; None where nothing enters."""
    before = entering(steps, index)
    return None if before is None else steps[index].norm - length(before)


def cosine(one: Floats, two: Floats) -> float:
    """Cosine of the angle between two vectors; 0 beside a vector of zeros."""
    lengths = length(one) * length(two)
    return float(one.astype(np.float64) @ two.astype(np.float64)) / lengths if lengths > 0 else 0.0
