"""POSITIONS: six ways to tell order, trained on short sequences, tested on long and shifted ones. No torch.

Sinusoidal and learned vectors (arXiv 1706.03762, section 3.5), relative vectors (1803.02155), rotary
(2104.09864), ALiBi (2108.12409), and none. Which of them goes on to lengths never trained on is an open
question (2305.19466): the page promises no winner. Without any, an encoder sees a set of words, while a
causal decoder can tell the place (Haviv et al. 2022, 2203.16634).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from model.experiments.experiment import Arm, Experiment
from model.experiments.result import ExperimentResult, Floats
from model.lessons.control import Choice, Control
from model.lessons.lesson import Finding, Numbers, Values

SHORTEST, TRAINED, LONGEST = 3, 12, 24
"""Words of a sequence: the fewest, the most that are trained on, the most that are tested."""
SHIFT = 5
REACH = 8
"""Offsets that are shown, to each side."""
STEPS = 600
LEARNED = 0.9
"""A share of right sequences from which a model has learned the task."""
SAME = 1e-3
"""States that differ by less than this share of their length differ by rounding."""

ADDED, ACTING = ("sinusoidal", "learned"), ("relative", "rotary", "alibi")
ARMS = tuple(
    Arm(name, {"positions": name, **({"relative_span": REACH} if name == "relative" else {})})
    for name in (*ADDED, "none", *ACTING)
)


def controls() -> tuple[Control, ...]:
    """Whether words or whole sequences are counted, and whose attention by offset is drawn."""
    return (
        Choice("counted", ("words", "right"), "words"),
        Choice("stack", ("encoder", "decoder"), "encoder"),
    )


def numbers(result: ExperimentResult, values: Values) -> Numbers:
    """Accuracy by length, what a shift costs, attention by offset, and who knows the place."""
    counted, stack = str(values["counted"]), str(values["stack"])
    lengths = _first_of(result, "lengths")
    short = lengths <= TRAINED
    data: dict[str, Any] = {
        "counted": counted,
        "stack": stack,
        "lengths": lengths,
        "trained": TRAINED,
        "shift": SHIFT,
        "reach": REACH,
        "accuracy": {arm.name: result.mean_of_each(arm.name, counted) for arm in ARMS},
        "usual": {arm.name: _share(_inside(result.mean_of_each(arm.name, counted), short)) for arm in ARMS},
        "shifted": {arm.name: _share(result.mean_of_each(arm.name, f"shifted_{counted}")) for arm in ARMS},
        "looks": {arm.name: _first(result, arm.name, f"looks_{stack}") for arm in ARMS},
        "bias": {arm.name: _first(result, arm.name, f"bias_{stack}") for arm in ARMS},
        "probes": {
            which: {arm.name: result.mean(arm.name, f"place_{which}") for arm in ARMS}
            for which in ("encoder", "decoder")
        },
        "guessed": result.mean("none", "place_guessed"),
    }
    return Numbers(tuple(_findings(result, short)), data)


def _inside(by_length: Floats, short: np.ndarray) -> Floats:
    """Of lengths trained on; empty where nothing is measured."""
    return by_length[short] if by_length.size else by_length


def _first_of(result: ExperimentResult, name: str) -> np.ndarray:
    found = (result.first(arm.name, name) for arm in ARMS)
    return np.array(next((one for one in found if one is not None), ()), np.int64)


def _first(result: ExperimentResult, arm: str, name: str) -> Floats:
    """Of the first seed: head 1 of another need not do what this one's does. Empty where there is none."""
    found = result.first(arm, name)
    return np.zeros(0) if found is None else np.asarray(found, np.float64)


def _share(values: Floats) -> float | None:
    return float(values.mean()) if values.size else None


def _findings(result: ExperimentResult, short: np.ndarray) -> list[Finding]:
    return [
        *(found for arm in ARMS for found in _learned(result, arm.name, short)),
        *_beyond(result, short),
        *_shifted(result, short),
        *_order(result),
    ]


def _learned(result: ExperimentResult, arm: str, short: np.ndarray) -> list[Finding]:
    """How many sequences of lengths trained on a model gets right, and how many longer ones."""
    right = result.measured(arm, "right")
    if not right.size:
        return []
    inside, beyond = right[:, short].mean(1), right[:, ~short].mean(1)
    learned = bool(inside.min() >= LEARNED)
    holds = not learned and bool(inside.max() < 0.5) if arm == "none" else learned
    about = {"beyond": float(beyond.mean()), "spread": float(np.ptp(inside))}
    return [Finding(arm, float(inside.mean()), holds, about)]


def _beyond(result: ExperimentResult, short: np.ndarray) -> list[Finding]:
    """The best of all at sequences longer than any trained on, by either count; none is expected to go on."""
    if not all(result.measured(arm.name, "right").size for arm in ARMS):
        return []
    best = {}
    for counted in ("right", "words"):
        shares = {arm.name: float(result.mean_of_each(arm.name, counted)[~short].mean()) for arm in ARMS}
        name = max(shares, key=shares.__getitem__)
        best[counted] = (shares[name], name)
    (value, name), (words, other) = best["right"], best["words"]
    return [Finding("beyond", value, value < 0.5, {"best": name, "words": words, "best_words": other})]


def _shifted(result: ExperimentResult, short: np.ndarray) -> list[Finding]:
    """What counting from another place costs: of those that act in attention, and of those that are added."""
    found = []
    for name, arms in (("shift_acting", ACTING), ("shift_added", ADDED)):
        pairs = [(result.measured(arm, "right"), result.measured(arm, "shifted_right")) for arm in arms]
        if all(one.size and other.size for one, other in pairs):
            lost = [float((one[:, short] - other).mean()) for one, other in pairs]
            least, most = min(lost), max(lost)
            holds = max(abs(least), most) < 0.01 if arms is ACTING else least > 0.01
            found.append(Finding(name, most, holds, {"least": least}))
    return found


def _order(result: ExperimentResult) -> list[Finding]:
    """Whether encoder and decoder without positions know the order of words, and where a word stands."""
    found = []
    moved, guess = result.measured("none", "moved_encoder"), result.mean("none", "place_guessed")
    if moved.size:
        found.append(Finding("moved_encoder", float(moved.max()), bool(moved.max() < SAME)))
        moved = result.measured("none", "moved_decoder")
        found.append(Finding("moved_decoder", float(moved.mean()), bool(moved.min() > SAME)))
    for which in ("encoder", "decoder"):
        error = result.measured("none", f"place_{which}")
        if error.size and guess:
            holds = bool(error.min() > 0.8 * guess) if which == "encoder" else bool(error.max() < 0.5 * guess)
            found.append(Finding(f"place_{which}", float(error.mean()), holds, {"guessed": guess}))
    return found


POSITIONS = Experiment(
    "positions",
    ARMS,
    {
        "task": "copy",
        "steps": STEPS,
        "encoder_layers": 2,
        "decoder_layers": 2,
        "d_model": 64,
        "n_heads": 4,
        "d_ff": 128,
        "dropout": 0.0,
        "schedule": "cosine",
        "learning_rate": 0.003,
        "warmup": STEPS // 10,
        "batch_tokens": 512,
    },
    {"steps": 4, "d_model": 16, "n_heads": 2, "d_ff": 16, "task_size": 200, "batch_tokens": 256},
    "model.experiments.running.measures.positions:measure",
    numbers,
    controls,
    stations=(
        {"counted": "words", "stack": "encoder"},
        {"counted": "right", "stack": "encoder"},
        {"counted": "words", "stack": "decoder"},
    ),
)
