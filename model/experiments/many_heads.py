"""MANY_HEADS: 1, 2, 4 or 8 heads at one width, on a task of two relations; then heads switched off. No torch.

Vaswani et al. 2017, section 3.2.2: with one head, averaging inhibits attending to several places at once.
Michel et al. 2019 (arXiv 1905.10650): most heads can be switched off after training, one after the other.

`relations` asks for both: a word of the output is made of two source words, in their order. Where the second
stands depends on the length, which no encoder of one layer knows in time to fetch it: the cross-attention has
to read both places at the same step. A single head can only mix the two, in unequal parts if it is to know
which is which.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from model.data.tasks.relations import related
from model.experiments.experiment import Arm, Experiment
from model.experiments.result import ExperimentResult, Floats
from model.lessons.control import Choice, Control
from model.lessons.lesson import Finding, Numbers, Values

COUNTS = (1, 2, 4, 8)
WORDS = ("d", "a", "e", "c", "b", "f")
"""The sentence whose maps are shown."""
BROKEN = 0.9
"""Quality is broken where fewer right words are left than this share of what all heads get."""
SPARED = 0.2
"""Of all heads can be switched off at least, according to Michel et al., section 4.2 (20 to 40 %)."""
ROLE = 0.5
"""A head that gives a place more than this weight on average is said to read it."""
MIXED = 0.2
"""A head that gives both places more than this weight mixes them."""

ORDERS = 5
"""Orders drawn at random in which heads are switched off."""

ARMS = tuple(Arm(f"heads_{count}", {"n_heads": count}) for count in COUNTS)


def controls() -> tuple[Control, ...]:
    """Whose maps are shown, and which curves."""
    return (
        Choice("shown", tuple(arm.name for arm in ARMS), "heads_2"),
        Choice("curve", ("off", "loss"), "off"),
    )


def numbers(result: ExperimentResult, values: Values) -> Numbers:
    """How right each model is, what its heads read, and how many it can do without."""
    shown = str(values["shown"])
    pruned = {arm.name: result.measured(arm.name, "greedy") for arm in ARMS}
    chance = {arm.name: result.measured(arm.name, "chance") for arm in ARMS}
    maps = result.first(shown, "maps")
    data: dict[str, Any] = {
        "shown": shown,
        "curve": str(values["curve"]),
        "loss": {arm.name: result.curve(arm.name) for arm in ARMS},
        "off": {name: _mean(curves) for name, curves in pruned.items()},
        "chance": {name: _mean(curves) for name, curves in chance.items()},
        "accuracy": {arm.name: result.mean(arm.name, "accuracy") for arm in ARMS},
        "words": {arm.name: result.mean(arm.name, "words") for arm in ARMS},
        "spare": {arm.name: spared(pruned[arm.name]) for arm in ARMS},
        "spare_by_chance": {arm.name: spared(chance[arm.name]) for arm in ARMS},
        "maps": np.asarray([] if maps is None else maps, dtype=np.float32),
        "read": (*WORDS, "</s>"),
        "predicts": (*related(WORDS), "</s>"),
        "order": result.first(shown, "order") or [],
        "own": np.asarray(result.first(shown, "own") or [], dtype=np.float64),
        "other": np.asarray(result.first(shown, "other") or [], dtype=np.float64),
    }
    return Numbers(tuple(_findings(result, data)), data)


def spared(curves: Floats) -> Floats:
    """[seed] share of heads that are off before quality breaks, of right words [seed, heads off]."""
    if not curves.size:
        return np.zeros(0)
    broken = curves < BROKEN * curves[:, :1]
    broken[:, -1] |= ~broken.any(1)  # all heads off is the end, whatever is left
    spare: Floats = np.maximum(0, broken.argmax(1) - 1) / (curves.shape[1] - 1)
    return spare


def _mean(curves: Floats) -> Floats:
    return curves.mean(0) if curves.size else np.zeros(0)


def _findings(result: ExperimentResult, data: dict[str, Any]) -> Iterator[Finding]:
    alone = result.measured("heads_1", "accuracy")
    for arm in ARMS:
        found = result.measured(arm.name, "accuracy")
        if found.size:
            better = int((found[: len(alone)] > alone[: len(found)]).sum())
            about = {
                "spread": result.spread(arm.name, "accuracy"), "better": better, "seeds": len(found),
            }  # fmt: skip
            holds = None if arm.name == "heads_1" or not alone.size else better == len(found)
            yield Finding(f"accuracy_{arm.name}", float(found.mean()), holds, about)
    yield from _roles(result)
    for arm in ARMS:
        spare = data["spare"][arm.name]
        if spare.size and arm.name == f"heads_{COUNTS[-1]}":
            chance = float(data["spare_by_chance"][arm.name].mean())
            off = float(spare.mean())
            total = len(data["off"][arm.name]) - 1
            yield Finding("spare", off, off >= SPARED, {"heads": total, "limit": SPARED})
            yield Finding("chance", chance, chance <= off, {"heads": total})


def _roles(result: ExperimentResult) -> Iterator[Finding]:
    own, other = result.measured("heads_1", "own"), result.measured("heads_1", "other")
    if own.size and other.size:
        weights = {"own": float(own.mean()), "other": float(other.mean())}
        yield Finding("mixed", min(weights.values()), min(weights.values()) > MIXED, weights)
    for arm in ARMS[1:]:
        own, other = result.measured(arm.name, "own"), result.measured(arm.name, "other")
        if own.size and other.size:
            apart = own.argmax(1) != other.argmax(1)
            both = (own.max(1) > ROLE) & (other.max(1) > ROLE)
            split = int((apart & both).sum())
            yield Finding(f"split_{arm.name}", split, split == len(own), {"seeds": len(own)})


MANY_HEADS = Experiment(
    "many_heads",
    ARMS,
    {
        "task": "relations",
        "steps": 600,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "d_model": 48,
        "d_ff": 96,
        "dropout": 0.0,
        "schedule": "cosine",
        "learning_rate": 0.004,
        "warmup": 60,
        "batch_tokens": 1024,
    },
    {"steps": 4, "d_model": 16, "d_ff": 16, "task_size": 200},
    "model.experiments.running.measures.many_heads:measure",
    numbers,
    controls,
    stations=(
        {"shown": "heads_1", "curve": "loss"},
        {"shown": "heads_2"},
        {"shown": "heads_8", "curve": "off"},
    ),
)
