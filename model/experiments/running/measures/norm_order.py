"""measure: the gradient by layer before the first step, and the loss that a model came to."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from model.experiments.running.first_gradients import first_gradients
from model.experiments.running.trained import Trained
from model.training.progress.history import stored_run


def measure(trained: Trained) -> Generator[None, None, dict[str, Any]]:
    """`gradients`: [layer] of the decoder; `loss`: of held-out pairs at the end."""
    gradients = first_gradients(trained, "decoder")
    yield None
    return {"gradients": gradients, "loss": stored_run(trained.folder).evals[-1].heldout_loss}
