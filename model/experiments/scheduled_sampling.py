"""SCHEDULED_SAMPLING: exposure bias, and a prefix in training that is in part the model's own. No torch.

Bengio et al. 2015 (arXiv 1506.03099); for Transformers, in two passes, Mihaylova and Martins 2019 (arXiv
1906.07651).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.experiments.experiment import Arm, Experiment
from model.experiments.result import ExperimentResult
from model.lessons.control import Choice, Control
from model.lessons.lesson import Finding, Numbers, Values

STEPS = 800
EXAMPLES = 4
BEFORE, AFTER = 2, 2
"""Steps before and after the one that reads the wrong word, over which shares are shown."""

MEASURES = ("accuracy", "recovered", "rest")
ARMS = (Arm("forced"), Arm("scheduled", {"sampling_rate": 0.5, "sampling_steps": STEPS // 2}))


def controls() -> tuple[Control, ...]:
    """Which sentence is shown."""
    return (Choice("sentence", tuple(str(number + 1) for number in range(EXAMPLES)), "1"),)


def numbers(result: ExperimentResult, values: Values) -> Numbers:
    """How often a model recovers from a wrong word, and how much of each step comes from the source."""
    at = int(values["sentence"]) - 1
    names = [arm.name for arm in ARMS]
    found: list[Mapping[str, Any]] = [
        next(iter((result.first(name, "examples") or [])[at : at + 1]), {}) for name in names
    ]
    data = {
        "scores": {name: [result.mean(name, one) for one in MEASURES] for name in names},
        "spreads": {name: [result.spread(name, one) for one in MEASURES] for name in names},
        "shares": {
            name: {one: result.mean_of_each(name, one) for one in ("shares", "shares_right")}
            for name in names
        },
        "examples": dict(zip(names, found, strict=True)),
        "curves": {name: result.heldout(name) for name in names},
    }
    return Numbers(tuple(_findings(result)), data)


def _findings(result: ExperimentResult) -> list[Finding]:
    forced, scheduled = (arm.name for arm in ARMS)
    found = []
    for name in MEASURES:
        before, after = result.mean(forced, name), result.mean(scheduled, name)
        if before is not None and after is not None:
            # What is claimed is of what follows a mistake; a model that is left alone need not get better.
            seeds = result.measured(scheduled, name) > result.measured(forced, name)
            holds = None if name == "accuracy" else bool(seeds.all())
            about = {"before": before, "after": after, "better": int(seeds.sum()), "seeds": len(seeds)}
            found.append(Finding(name, after - before, holds, about))
    for arm in (forced, scheduled):
        wrong, right = result.mean_of_each(arm, "shares"), result.mean_of_each(arm, "shares_right")
        if wrong.size:
            found.append(
                Finding(
                    f"share_{arm}",
                    float(wrong[BEFORE] - right[BEFORE]),
                    None,
                    {"wrong": float(wrong[BEFORE]), "right": float(right[BEFORE])},
                )
            )
    return found


SCHEDULED_SAMPLING = Experiment(
    "scheduled_sampling",
    ARMS,
    {
        "task": "reverse",
        "steps": STEPS,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "d_model": 64,
        "n_heads": 4,
        "d_ff": 128,
        "dropout": 0.0,
        "schedule": "cosine",
        "learning_rate": 0.003,
        "warmup": 100,
        "batch_tokens": 1024,
    },
    {"steps": 4, "task_size": 200, "d_model": 16, "n_heads": 2, "d_ff": 16},
    "model.experiments.running.measures.scheduled_sampling:measure",
    numbers,
    controls,
    stations=({"sentence": "1"}, {"sentence": "2"}),
)
