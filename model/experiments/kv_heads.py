"""KV_HEADS: heads that share keys and values, and tied tables: parameters, cache and quality. No torch.

Shazeer 2019 (arXiv 1911.02150): one head of keys and values for all queries makes the cache as many
times smaller as there are heads, and costs little quality. Ainslie et al. 2023 (arXiv 2305.13245): a few of
them, one for each group of heads, cost still less. Press & Wolf 2017 (arXiv 1608.05859) and Vaswani et al.
2017, section 3.4: the output and the embeddings can be one matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from model.experiments.experiment import Arm, Experiment
from model.experiments.result import ExperimentResult
from model.lessons.control import Choice, Control
from model.lessons.lesson import Finding, Numbers, Values

HEADS = 8
CLOSE = 0.05
"""Quality is as good as the plain model's where at most this share of sentences fewer comes out right."""
DIFFERENT = 0.1
"""Heads look in different ways where their maps are further apart than this, from 0 to 1."""

GROUPED, MULTI = 2, 1
SHARED = {"plain": HEADS, "grouped": GROUPED, "multi": MULTI}
TIED = ("tied_output", "tied_all")
ARMS = (
    Arm("plain", {}),
    Arm("grouped", {"kv_heads": GROUPED}),
    Arm("multi", {"kv_heads": MULTI}),
    Arm("tied_output", {"tie_embeddings": "target_output"}),
    Arm("tied_all", {"tie_embeddings": "all"}),
)


def controls() -> tuple[Control, ...]:
    """Whose maps are shown."""
    return (Choice("shown", tuple(SHARED), "grouped"),)


def numbers(result: ExperimentResult, values: Values) -> Numbers:
    """What each model takes, and what it can do."""
    shown = str(values["shown"])
    maps, apart = result.first(shown, "maps"), result.measured(shown, "apart")
    data: dict[str, Any] = {
        "shown": shown,
        "groups": SHARED[shown],
        "parameters": {arm.name: _parameters(result, arm.name) for arm in ARMS},
        "cache": {arm.name: result.mean(arm.name, "cache") for arm in ARMS},
        "allocated": {arm.name: result.mean(arm.name, "allocated") for arm in ARMS},
        "accuracy": {arm.name: result.mean(arm.name, "accuracy") for arm in ARMS},
        "spread": {arm.name: result.spread(arm.name, "accuracy") for arm in ARMS},
        "loss": {arm.name: result.mean(arm.name, "loss") for arm in ARMS},
        "apart": apart.mean(0) if apart.size else np.zeros((0, 0)),
        "maps": np.asarray([] if maps is None else maps, dtype=np.float32),
        "read": result.first(shown, "read") or [],
        "written": result.first(shown, "written") or [],
    }
    return Numbers(tuple(_findings(result, data)), data)


def within(apart: np.ndarray, groups: int) -> tuple[float, float]:
    """Mean distance of two heads that share keys, and of two that do not; NaN where there are none."""
    group = np.arange(len(apart)) * groups // max(1, len(apart))
    same = group[:, None] == group[None]
    np.fill_diagonal(same, False)
    other = group[:, None] != group[None]
    return tuple(float(apart[where].mean()) if where.any() else float("nan") for where in (same, other))  # type: ignore[return-value]


def _parameters(result: ExperimentResult, arm: str) -> int | None:
    return next((one.parameters for one in result.of(arm) if one.parameters), None)


def _findings(result: ExperimentResult, data: dict[str, Any]) -> Iterator[Finding]:
    cache, allocated = data["cache"], data["allocated"]
    for arm in ("grouped", "multi"):
        if cache["plain"] and cache[arm]:
            times = cache["plain"] / cache[arm]
            counted = all(cache[each] == allocated[each] for each in ("plain", arm))
            about = {"plain": int(cache["plain"]), "own": int(cache[arm]), "counted": counted}
            yield Finding(f"cache_{arm}", times, counted and times == HEADS / SHARED[arm], about)
    plain = result.measured("plain", "accuracy")
    for one in ARMS:
        count, whole = data["parameters"][one.name], data["parameters"]["plain"]
        found = result.measured(one.name, "accuracy")
        if not found.size or not count or not whole:
            continue
        about = {
            "spread": data["spread"][one.name],
            "parameters": count,
            "percent": 100 * count / whole,
            "loss": data["loss"][one.name],
        }
        holds = None
        if one.name != "plain" and plain.size:
            holds = count < whole and float(found.mean()) >= float(plain.mean()) - CLOSE
        yield Finding(f"quality_{one.name}", float(found.mean()), holds, about)
    few, single = result.measured("grouped", "accuracy"), result.measured("multi", "accuracy")
    if few.size and single.size:
        more = float(few.mean()) - float(single.mean())
        yield Finding("between", more, more >= 0)
    for arm in ("plain", "grouped", "multi"):
        apart = result.measured(arm, "apart")
        if apart.size:
            same, other = within(apart.mean(0), SHARED[arm])
            if arm == "plain":
                yield Finding("apart_plain", other)
            else:
                yield Finding(f"apart_{arm}", same, same > DIFFERENT)


KV_HEADS = Experiment(
    "kv_heads",
    ARMS,
    {
        "task": "grammar",
        "task_size": 6000,
        "steps": 500,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "d_model": 64,
        "n_heads": HEADS,
        "d_ff": 128,
        "dropout": 0.0,
        "norm": "pre_norm",
        "schedule": "cosine",
        "learning_rate": 0.008,
        "warmup": 80,
        "batch_tokens": 1024,
    },
    {"steps": 4, "d_model": 16, "d_ff": 16, "task_size": 200},
    "model.experiments.running.measures.kv_heads:measure",
    numbers,
    controls,
    stations=({"shown": "plain"}, {"shown": "grouped"}, {"shown": "multi"}),
)
