"""COPYING: words copied from the source, or not: names that no training pair has. No torch.

See et al. 2017 (arXiv 1704.04368, section 2.2): a pointer-generator can write words that it never learned to
generate, as it copies them from where it attends to.
"""

from __future__ import annotations

import numpy as np

from model.experiments.experiment import Arm, Experiment
from model.experiments.result import ExperimentResult
from model.lessons.control import Choice, Control
from model.lessons.lesson import Finding, Numbers, Values

STEPS = 500
SENTENCES = ("unseen", "known")

ARMS = (Arm("plain"), Arm("copying", {"copying": True}))


def controls() -> tuple[Control, ...]:
    """Whose names the sentence that is looked at has."""
    return (Choice("sentence", SENTENCES, "unseen"),)


def numbers(result: ExperimentResult, values: Values) -> Numbers:
    """Accuracies, and a sentence as both models translate it, with where they look."""
    accuracies = {
        arm.name: {kind: result.measured(arm.name, f"names_{kind}") for kind in SENTENCES} for arm in ARMS
    }
    examples = {}
    for arm in ARMS:
        told = result.first(arm.name, "examples")
        if told is not None:
            examples[arm.name] = _example(told[str(values["sentence"])])
    shares = {kind: result.measured("copying", f"share_{kind}") for kind in ("names", "others")}
    data = {
        "accuracies": accuracies,
        "examples": examples,
        "shares": shares,
        "curves": {arm.name: result.heldout(arm.name) for arm in ARMS},
        "sentence": values["sentence"],
    }
    return Numbers(tuple(_findings(result)), data)


def _example(told: dict[str, object]) -> dict[str, object]:
    return {**told, "pointer": np.asarray(told["pointer"], np.float32), "share": told.get("share")}


def _findings(result: ExperimentResult) -> list[Finding]:
    found = []
    for arm in ARMS:
        for kind in SENTENCES:
            value = result.mean(arm.name, f"names_{kind}")
            if value is not None:
                spread = result.spread(arm.name, f"names_{kind}")
                whole = result.mean(arm.name, f"sentences_{kind}")
                holds = value < 0.05 if (arm.name, kind) == ("plain", "unseen") else value > 0.9
                about = {"spread": spread, "sentences": whole}
                found.append(Finding(f"{arm.name}_{kind}", value, holds, about))
    names, others = (result.mean("copying", f"share_{kind}") for kind in ("names", "others"))
    if names is not None and others is not None:
        found.append(Finding("share", names, names > 0.5 > others, {"others": others}))
    return found


COPYING = Experiment(
    "copying",
    ARMS,
    {
        "task": "names",
        "steps": STEPS,
        "task_size": 5000,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "d_model": 64,
        "n_heads": 4,
        "d_ff": 128,
        "dropout": 0.1,
        "tie_embeddings": "all",
        "schedule": "cosine",
        "learning_rate": 0.005,
        "warmup": 50,
        "batch_tokens": 1024,
    },
    {
        "steps": 4,
        "d_model": 16,
        "n_heads": 2,
        "d_ff": 16,
        "task_size": 200,
    },
    "model.experiments.running.measures.copying:measure",
    numbers,
    controls,
    stations=({"sentence": "unseen"}, {"sentence": "known"}),
)
