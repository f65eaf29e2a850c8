"""teacher_forcing: each token predicted from the right ones before it (paper, sections 3.1 and 5.4)."""

from __future__ import annotations

from torch import Tensor

from model.training.loss import smoothed_loss
from model.training.objectives.objective import Pass


def teacher_forcing(a_pass: Pass) -> tuple[Tensor, Tensor]:
    """Label-smoothed cross-entropy of the batch, and the plain one."""
    output, gold = a_pass.transformer.output, a_pass.inputs.gold
    smoothing = a_pass.config.label_smoothing
    return smoothed_loss(a_pass.hidden(), output.weight, output.bias, gold, smoothing, a_pass.tokens)
