"""ROUNDS: a translation written all at once where every source has two right ones. No torch.

Gu et al. 2018 (arXiv 1711.02281, section 3): tokens that are written at the same time do not know of each
other, so that two right translations are mixed. Ghazvininejad et al. 2019 (arXiv 1904.09324): written again
in rounds, the least certain first, they agree.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from model.experiments.experiment import Arm, Experiment
from model.experiments.result import ExperimentResult
from model.lessons.control import Choice, Control, Slider
from model.lessons.lesson import Finding, Numbers, Values

LEFT, ONCE = "left_to_right", "all_at_once"
ROUNDS = (1, 2, 4, 8)
EXAMPLE = "yak cat owl gem pen ink"

ARMS = (Arm(LEFT), Arm(ONCE, {"generation": "all_at_once"}))


def controls() -> tuple[Control, ...]:
    """How many rounds the example is written in, and which of them is looked at."""
    names = tuple(map(str, ROUNDS))
    return Choice("rounds", names, "8"), Slider("round", 1, ROUNDS[-1], 1, whole=True)


def unused(values: Values) -> frozenset[str]:
    """Of one round there is nothing to choose."""
    return frozenset({"round"}) if values["rounds"] == "1" else frozenset()


def numbers(result: ExperimentResult, values: Values) -> Numbers:
    """The shares by rounds, the speed, and the example's round."""
    shares = {name: _by_rounds(result, name) for name in ("right", "repeated", "speed")}
    plain = {name: result.mean(LEFT, name) for name in ("right", "repeated")}
    data = {"rounds": ROUNDS, **shares, "plain": plain, **_example(result, values)}
    return Numbers(tuple(_findings(result, shares, plain)), data)


def _by_rounds(result: ExperimentResult, name: str) -> np.ndarray:
    """[rounds] mean over seeds; empty at first."""
    found = result.measured(ONCE, name)
    return found.mean(0) if found.size else np.zeros(0)


def _example(result: ExperimentResult, values: Values) -> dict[str, Any]:
    """What the first seed's models make of `EXAMPLE`: `once`, the round looked at, and `left`."""
    rounds = (result.first(ONCE, "example") or {}).get(str(values["rounds"]), [])
    place = min(int(values["round"]), len(rounds)) - 1
    return {
        "once": rounds[place] if rounds else None,
        "left": result.first(LEFT, "example"),
        "place": place + 1,
        "written": len(rounds),
    }


def _findings(
    result: ExperimentResult, shares: dict[str, np.ndarray], plain: dict[str, float | None]
) -> list[Finding]:
    right, repeated, speed = shares["right"], shares["repeated"], shares["speed"]
    found = []
    if right.size:
        # Of every seed by itself: what holds of the mean alone may be one lucky model.
        by_seed = {name: result.measured(ONCE, name) for name in ("right", "repeated")}
        spread = {name: np.ptp(values, axis=0) for name, values in by_seed.items()}
        mixed = bool((by_seed["repeated"][:, 0] > 0.5).all())
        about = {"right": right[0], "spread": spread["repeated"][0]}
        found.append(Finding("mixed", float(repeated[0]), mixed, about))
        better = (by_seed["right"][:, -1] > by_seed["right"][:, 0]).all()
        fewer = (by_seed["repeated"][:, -1] < by_seed["repeated"][:, 0]).all()
        about = {"rounds": ROUNDS[-1], "repeated": repeated[-1], "spread": spread["right"][-1]}
        found.append(Finding("repaired", float(right[-1]), bool(better and fewer), about))
    if plain["right"] is not None:
        holds = bool(plain["right"] >= right[-1]) if right.size else None
        about = {"repeated": plain["repeated"], "spread": result.spread(LEFT, "right")}
        found.append(Finding("left", plain["right"], holds, about))
    if speed.size:
        # Told and not judged: it is another on every machine.
        found.append(Finding("speed", float(speed[0]), None, {"rounds": ROUNDS[-1], "last": speed[-1]}))
    return found


ROUNDS_EXPERIMENT = Experiment(
    "rounds",
    ARMS,
    {
        "task": "either",
        "steps": 1100,
        "encoder_layers": 2,
        "decoder_layers": 2,
        "d_model": 64,
        "n_heads": 4,
        "d_ff": 128,
        "dropout": 0.0,
        "norm": "pre_norm",
        "positions": "learned",
        "tie_embeddings": "all",
        "max_positions": 16,
        "schedule": "cosine",
        "learning_rate": 0.004,
        "warmup": 50,
        "batch_tokens": 768,
    },
    {
        "steps": 3,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "d_model": 16,
        "n_heads": 2,
        "d_ff": 16,
        "task_size": 200,
    },
    "model.experiments.running.measures.rounds:measure",
    numbers,
    controls,
    unused,
    stations=(
        {"rounds": "1", "round": 1},
        {"rounds": "8", "round": 1},
        {"rounds": "8", "round": 3},
        {"rounds": "8", "round": 8},
    ),
)
