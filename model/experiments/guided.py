"""GUIDED: cross-attention penalised for leaving the diagonal, where that helps and where it hurts. No torch.

Tachibana et al. 2018 (arXiv 1710.08969, section 4.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.experiments.experiment import Arm, Experiment
from model.experiments.result import ExperimentResult
from model.lessons.control import Choice, Control, Slider
from model.lessons.lesson import Finding, Numbers, Values

STEPS = 200
EVERY = 20
"""Steps between two frames of the time-lapse."""

FRAMES = STEPS // EVERY + 1
HEADS = 4
GUIDED = 2
"""Heads that are guided where not all are."""

WIDTH = 0.2
PROBE = "cat dog egg fox owl ant key zoo"
TASKS = ("copy", "reverse")

_GUIDE = {"guide": "diagonal", "guide_weight": 2.0, "guide_width": WIDTH}
_TARGETS = {"copy": PROBE, "reverse": " ".join(PROBE.split()[::-1])}


def _arm(task: str, name: str, **options: Any) -> Arm:
    return Arm(f"{task}_{name}", {"task": task, "probe_target": _TARGETS[task], **options})


ARMS = tuple(
    arm
    for task in TASKS
    for arm in (
        _arm(task, "free"),
        _arm(task, "all", **_GUIDE, guide_heads=0),
        _arm(task, "half", **_GUIDE, guide_heads=GUIDED),
    )
)


def controls() -> tuple[Control, ...]:
    """The task, and the moment of the time-lapse."""
    last = Slider("frame", 0, STEPS, STEPS, whole=True)
    return (Choice("task", TASKS, "copy"), last)


def numbers(result: ExperimentResult, values: Values) -> Numbers:
    """Curves of a task, its maps at a moment of training, and how diagonal every head is."""
    task, frame = str(values["task"]), round(int(values["frame"]) / EVERY)
    arms = [f"{task}_{name}" for name in ("free", "all", "half")]
    found = {arm: _frame(result.first(arm, "frames"), frame) for arm in arms}
    data = {
        "task": task,
        "curves": {arm: result.heldout(arm) for arm in arms},
        "step": frame * EVERY,
        "maps": found,
        "penalty": result.first(arms[1], "penalty"),
        "diagonality": {arm: result.mean_of_each(arm, "diagonality") for arm in arms},
        "accuracy": {arm: result.mean(arm, "accuracy") for arm in arms},
    }
    return Numbers(tuple(_findings(result)), data)


def _frame(frames: Mapping[str, Any] | None, at: int) -> dict[str, Any]:
    """The map at one moment; nothing where there is none."""
    if not frames or at >= len(frames["cross"]):
        return {}
    return {"src": frames["src"], "read": frames["read"], "cross": frames["cross"][at]}


def _findings(result: ExperimentResult) -> list[Finding]:
    found = []
    for task in TASKS:
        free, guided = (result.measured(f"{task}_{name}", "area") for name in ("free", "all"))
        if free.size and guided.size == free.size:
            better = int((guided < free).sum())
            holds = better == free.size if task == "copy" else better == 0
            half = result.mean(f"{task}_half", "area")
            means = {"free": float(free.mean()), "half": half, "guided": float(guided.mean())}
            about = {**means, "seeds": free.size}
            found.append(
                Finding(f"loss_{task}", float((guided - free).mean()), holds, {**about, "better": better})
            )
    for task in TASKS:
        by_head = result.mean_of_each(f"{task}_half", "diagonality")
        if by_head.size:
            held, loose = float(by_head[:GUIDED].mean()), float(by_head[GUIDED:].mean())
            found.append(
                Finding(f"heads_{task}", held - loose, held > loose, {"guided": held, "free": loose})
            )
    return found


GUIDED_ATTENTION = Experiment(
    "guided",
    ARMS,
    {
        "task": "copy",
        "steps": STEPS,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "d_model": 64,
        "n_heads": HEADS,
        "d_ff": 128,
        "dropout": 0.0,
        "schedule": "cosine",
        "learning_rate": 0.003,
        "warmup": 60,
        "batch_tokens": 1024,
        "probe": PROBE,
        "probe_every": EVERY,
    },
    {"steps": 4, "task_size": 200, "d_model": 16, "d_ff": 16, "probe_every": 2},
    "model.experiments.running.measures.guided:measure",
    numbers,
    controls,
    stations=(
        {"task": "copy", "frame": EVERY},
        {"task": "copy", "frame": 5 * EVERY},
        {"task": "copy", "frame": STEPS},
        {"task": "reverse", "frame": 5 * EVERY},
        {"task": "reverse", "frame": STEPS},
    ),
)
