"""BATCH_NORM: LayerNorm or BatchNorm, and what becomes of a sentence beside others. No torch.

Shen et al. 2020 (arXiv 2003.07845, section 3): in a Transformer that reads language a batch's statistics keep
far away from the running ones all through training, and BatchNorm does worse than LayerNorm.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from model.experiments.experiment import Arm, Experiment
from model.experiments.result import ExperimentResult, Floats
from model.lessons.control import Choice, Control
from model.lessons.lesson import Finding, Numbers, Values

STEPS = 400
ARMS = (Arm("layer", {"normalisation": "layer"}), Arm("batch", {"normalisation": "batch"}))
LAYERS = 2
NORMS = {"encoder": 2, "decoder": 3}
"""Of a layer."""


def controls() -> tuple[Control, ...]:
    """Which curve is drawn, and which statistic's mismatch."""
    return (
        Choice("curve", ("loss", "heldout"), "heldout"),
        Choice("statistic", ("mean", "variance"), "mean"),
    )


def numbers(result: ExperimentResult, values: Values) -> Numbers:
    """The losses, the mismatch by layer, and a sentence's own map beside one batch-mate and another."""
    which = str(values["curve"])
    curve = result.heldout if which == "heldout" else result.curve
    off = mismatch(result, str(values["statistic"]))
    data: dict[str, Any] = {
        "curves": {arm.name: curve(arm.name) for arm in ARMS},
        "curve": which,
        "statistic": str(values["statistic"]),
        "mismatch": off,
        "maps": {arm.name: _maps(result, arm.name) for arm in ARMS},
    }
    return Numbers(tuple(_findings(result)), data)


def mismatch(result: ExperimentResult, statistic: str) -> dict[str, tuple[Floats, Floats]]:
    """Steps and mean over seeds by stack and layer ("encoder 1"), and `noise`; empty at first."""
    watched = [one.measured["watched"] for one in result.of("batch") if one.measured.get("watched")]
    if not watched:
        return {}
    steps = np.asarray(watched[0]["step"], dtype=np.float64)
    rows = np.mean([one[statistic] for one in watched], axis=0)  # [moment, norm]
    names = [
        f"{stack} {layer + 1}"
        for stack, norms in NORMS.items()
        for layer in range(rows.shape[1] // sum(NORMS.values()))
        for _ in range(norms)
    ]
    found = {
        name: (steps, rows[:, [at for at, one in enumerate(names) if one == name]].mean(1))
        for name in dict.fromkeys(names)
    }
    if statistic == "mean":
        found["noise"] = (steps, np.mean([one["noise"] for one in watched], axis=0).mean(1))
    return found


def _maps(result: ExperimentResult, arm: str) -> dict[str, Any]:
    """Of the first seed: the words, [n, n] with one batch-mate and with another; empty at first."""
    for one in result.of(arm):
        if "map" in one.measured:
            own, other = (np.asarray(one.measured[name], np.float32) for name in ("map", "changed_map"))
            return {"words": tuple(one.measured["words"]), "own": own, "other": other}
    return {}


def _findings(result: ExperimentResult) -> list[Finding]:
    found = []
    losses = {arm.name: result.measured(arm.name, "loss") for arm in ARMS}
    for arm in ARMS:
        if losses[arm.name].size:
            right = result.mean(arm.name, "right")
            about = {"right": right, "spread": result.spread(arm.name, "loss")}
            found.append(Finding(f"loss_{arm.name}", float(losses[arm.name].mean()), None, about))
    seeds = min(map(len, losses.values()))
    if seeds:
        worse = int((losses["batch"][:seeds] > losses["layer"][:seeds]).sum())
        found.append(Finding("worse", worse, worse == seeds, {"seeds": seeds}))
    off = mismatch(result, "mean")
    if off:
        found += _mismatch_findings(result, float(_late(off["noise"][1])))
    own, running = (result.mean("batch", name) for name in ("own_statistics", "running_statistics"))
    if own is not None and running is not None:
        found.append(Finding("statistics", running - own, running > own, {"own": own, "running": running}))
    for arm in ARMS:
        changes = result.measured(arm.name, "mate_training")
        after = result.measured(arm.name, "mate_inference")
        if changes.size:
            holds = bool((changes > 0).all()) if arm.name == "batch" else not changes.any()
            about = {"inference": float(after.max())}
            found.append(Finding(f"mate_{arm.name}", float(changes.max()), holds and not after.any(), about))
    return found


def _late(curve: Floats) -> Floats:
    """Mean over the second half of the moments, [...] of [moment, ...]."""
    half: Floats = curve[len(curve) // 2 :].mean(0)
    return half


def _mismatch_findings(result: ExperimentResult, noise: float) -> list[Finding]:
    """Of all norms together, and of the one where it is largest."""
    watched = [one.measured["watched"] for one in result.of("batch") if one.measured.get("watched")]
    by_norm = _late(np.mean([one["mean"] for one in watched], axis=0))
    mean, at = float(by_norm.mean()), int(by_norm.argmax())
    layers = by_norm.size // sum(NORMS.values())
    stack = "encoder" if at < layers * NORMS["encoder"] else "decoder"
    within = at if stack == "encoder" else at - layers * NORMS["encoder"]
    place = {"stack": stack, "layer": within // NORMS[stack] + 1, "norm": within % NORMS[stack] + 1}
    return [
        Finding("mismatch", mean, mean > 2 * noise, {"noise": noise, "times": mean / noise}),
        Finding("largest", float(by_norm[at]), None, {"times": float(by_norm[at]) / noise, **place}),
    ]


BATCH_NORM = Experiment(
    "batch_norm",
    ARMS,
    {
        "task": "grammar",
        "steps": STEPS,
        "task_size": 4000,
        "encoder_layers": LAYERS,
        "decoder_layers": LAYERS,
        "d_model": 64,
        "n_heads": 4,
        "d_ff": 128,
        "dropout": 0.0,
        "schedule": "cosine",
        "learning_rate": 0.003,
        "warmup": 50,
        "batch_tokens": 512,
    },
    {
        "steps": 4,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "d_model": 16,
        "n_heads": 2,
        "d_ff": 16,
        "task": "copy",
        "task_size": 200,
    },
    "model.experiments.running.measures.batch_norm:measure",
    numbers,
    controls,
    watched_by="model.experiments.running.measures.batch_norm:watch",
    stations=({"curve": "heldout"}, {"statistic": "variance"}),
)
