"""watch and measure: what a learned mix of encoder layers weighs, and how far gradients reach down.

Shapes: E encoder layers, D decoder layers.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import torch

from model.experiments.running.first_gradients import first_gradients
from model.experiments.running.trained import Trained, accuracy
from model.training.progress.history import stored_run
from model.training.trainer import Trainer

_PAIRS = 100


@torch.no_grad()
def watch(trainer: Trainer) -> dict[str, Any]:
    """`mix`: [D, E + 1] how much of each encoder layer every decoder layer reads; of a learned mix alone."""
    if trainer.transformer.architecture.wiring != "mix":
        return {}
    return {"mix": trainer.transformer.memory_mix.shares().tolist()}


def measure(trained: Trained) -> Generator[None, None, dict[str, Any]]:
    """What the page shows, by name.

    `gradients`: [E] by encoder layer, before the first step; `loss`: of held-out pairs at the end; `right`:
    the share of fresh pairs translated without a mistake; `mix`: [D, E + 1] as trained; `watched`.
    """
    bundle = trained.bundle
    right = yield from accuracy(bundle, trained.pairs(_PAIRS))
    gradients = first_gradients(trained, "encoder")
    yield None
    with torch.no_grad():
        mix = bundle.transformer.memory_mix.shares().tolist()
    loss = stored_run(trained.folder).evals[-1].heldout_loss
    watched = trained.watched
    return {"gradients": gradients, "loss": loss, "right": right, "mix": mix, "watched": watched}
