"""WIRING: decoder layers that read the last encoder layer, that of their depth, or a learned mix. No torch.

Bapna et al. 2018 (arXiv 1808.07561): with a mix of all encoder layers the gradient reaches the lowest ones
directly, so that deep encoders can be trained. A shallow one gains little.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from model.experiments.experiment import Arm, Experiment
from model.experiments.result import ExperimentResult, Floats
from model.lessons.control import Choice, Control, Slider
from model.lessons.lesson import Finding, Numbers, Values

ENCODER, DECODER = 6, 2
STEPS = 300
ARMS = tuple(Arm(name, {"wiring": name}) for name in ("last", "same_depth", "mix"))


def controls() -> tuple[Control, ...]:
    """Which curve is drawn, and the weights of which decoder layer."""
    return (
        Choice("curve", ("loss", "heldout"), "heldout"),
        Slider("layer", 1, DECODER, 1, whole=True),
    )


def numbers(result: ExperimentResult, values: Values) -> Numbers:
    """The losses, the gradient by encoder layer, and the mix's weights over time."""
    which = str(values["curve"])
    curve = result.heldout if which == "heldout" else result.curve
    data: dict[str, Any] = {
        "curves": {arm.name: curve(arm.name) for arm in ARMS},
        "curve": which,
        "layer": int(values["layer"]),
        "gradients": {arm.name: result.mean_of_each(arm.name, "gradients") for arm in ARMS},
        "mixes": {arm.name: result.mean_of_each(arm.name, "mix") for arm in ARMS},
        "over_time": over_time(result),
    }
    return Numbers(tuple(_findings(result, data)), data)


def over_time(result: ExperimentResult) -> tuple[Floats, Floats]:
    """Steps [n] and the mix's weights [n, decoder layer, encoder layers + 1], mean over seeds."""
    watched = [one.measured["watched"] for one in result.of("mix") if one.measured.get("watched")]
    if not watched:
        return np.zeros(0), np.zeros((0, 0, 0))
    return np.asarray(watched[0]["step"], np.float64), np.mean([one["mix"] for one in watched], axis=0)


def _findings(result: ExperimentResult, data: dict[str, Any]) -> list[Finding]:
    found = []
    for arm in ARMS:
        loss = result.mean(arm.name, "loss")
        if loss is not None:
            about = {"spread": result.spread(arm.name, "loss"), "right": result.mean(arm.name, "right")}
            found.append(Finding(f"loss_{arm.name}", loss, None, about))
    losses = {arm.name: result.measured(arm.name, "loss") for arm in ARMS}
    seeds = min(map(len, losses.values()))
    if seeds:
        for name in ("same_depth", "mix"):
            better = int((losses[name][:seeds] < losses["last"][:seeds]).sum())
            found.append(Finding(f"better_{name}", better, better == seeds, {"seeds": seeds}))
    shares = {
        name: float(by_layer[0] / by_layer.sum())
        for name, by_layer in data["gradients"].items()
        if by_layer.size
    }
    if "last" in shares and "mix" in shares:
        about = {"last": shares["last"], "layers": data["gradients"]["mix"].size}
        found.append(Finding("gradient", shares["mix"], shares["mix"] > shares["last"], about))
    mixes = result.measured("mix", "mix")  # [seed, decoder layer, layer]
    if mixes.size:
        mean = mixes.mean((0, 1))
        about = {"even": 1 / mean.size, "most": int(mean.argmax()), "share": float(mean.max())}
        found.append(Finding("top", float(mean[-1]), None, about))
    return found


WIRING = Experiment(
    "wiring",
    ARMS,
    {
        "task": "sort",
        "steps": STEPS,
        "encoder_layers": ENCODER,
        "decoder_layers": DECODER,
        "d_model": 48,
        "n_heads": 4,
        "d_ff": 96,
        "dropout": 0.0,
        "schedule": "cosine",
        "learning_rate": 0.003,
        "warmup": 60,
        "batch_tokens": 512,
    },
    {
        "steps": 4,
        "encoder_layers": 2,
        "decoder_layers": 2,
        "d_model": 16,
        "n_heads": 2,
        "d_ff": 16,
        "task_size": 200,
    },
    "model.experiments.running.measures.wiring:measure",
    numbers,
    controls,
    watched_by="model.experiments.running.measures.wiring:watch",
    stations=({"curve": "heldout"}, {"layer": 2.0}),
)
