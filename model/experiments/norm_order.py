"""NORM_ORDER: the norm before or after each sub-layer, six layers deep, with warm-up and without. No torch.

Xiong et al. 2020 (arXiv 2002.04745): after the sub-layers (post-norm, as published) gradients are large near
the output at the start, which warm-up makes up for; before them (pre-norm) they are even.
"""

from __future__ import annotations

import numpy as np

from model.experiments.experiment import Arm, Experiment
from model.experiments.result import ExperimentResult
from model.lessons.control import Choice, Control
from model.lessons.lesson import Finding, Numbers, Values

LAYERS = 6
STEPS = 240
LEARNED = 1.0
"""A held-out loss below this says that a model learned: 24 words guessed evenly are ln 24 = 3.2 nats."""

_WARM = {"warmup": STEPS // 3}
_COLD = {"warmup": 1}
ARMS = (
    Arm("post_warm", {"norm": "post_norm", **_WARM}),
    Arm("post_cold", {"norm": "post_norm", **_COLD}),
    Arm("pre_warm", {"norm": "pre_norm", **_WARM}),
    Arm("pre_cold", {"norm": "pre_norm", **_COLD}),
)


def controls() -> tuple[Control, ...]:
    """Which curve is drawn."""
    return (Choice("curve", ("loss", "heldout"), "loss"),)


def numbers(result: ExperimentResult, values: Values) -> Numbers:
    """The gradient by layer at step 0, and the losses."""
    which = str(values["curve"])
    curve = result.heldout if which == "heldout" else result.curve
    curves = {arm.name: curve(arm.name) for arm in ARMS}
    gradients = {norm: result.mean_of_each(f"{norm}_warm", "gradients") for norm in ("post", "pre")}
    data = {"curves": curves, "gradients": gradients, "curve": which, "learned": LEARNED}
    return Numbers(tuple(_findings(result, gradients)), data)


def _findings(result: ExperimentResult, gradients: dict[str, np.ndarray]) -> list[Finding]:
    found = []
    for norm, by_layer in gradients.items():
        if by_layer.size:
            ratio = float(by_layer[-1] / by_layer[0])
            holds = ratio > 2 if norm == "post" else 0.5 < ratio < 2
            found.append(Finding(f"gradient_{norm}", ratio, holds, {"layers": len(by_layer)}))
    for arm in ARMS:
        loss = result.mean(arm.name, "loss")
        if loss is not None:
            losses = result.measured(arm.name, "loss")  # of a run under way not of every seed
            learned = int((losses < LEARNED).sum())
            holds = learned == 0 if arm.name == "post_cold" else learned == len(losses)
            about = {"learned": learned, "seeds": len(losses)}
            found.append(Finding(arm.name, loss, holds, {**about, "spread": result.spread(arm.name, "loss")}))
    return found


NORM_ORDER = Experiment(
    "norm_order",
    ARMS,
    {
        "task": "copy",
        "steps": STEPS,
        "encoder_layers": LAYERS,
        "decoder_layers": LAYERS,
        "d_model": 64,
        "n_heads": 4,
        "d_ff": 128,
        "dropout": 0.0,
        "schedule": "cosine",
        "learning_rate": 0.003,
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
    "model.experiments.running.measures.norm_order:measure",
    numbers,
    controls,
    stations=({"curve": "loss"}, {"curve": "heldout"}),
)
