"""teacher_forcing: each token predicted from the right ones before it (paper, sections 3.1 and 5.4)."""

from __future__ import annotations

from torch import Tensor

from model.training.loss import smoothed_loss
from model.training.objectives.objective import Pass


def teacher_forcing(a_pass: Pass) -> tuple[Tensor, Tensor]:
    """Label-smoothed cross-entropy of the batch, and the plain one."""
    return row_loss(a_pass, a_pass.hidden())


def row_loss(a_pass: Pass, hidden: Tensor) -> tuple[Tensor, Tensor]:
    """The same of given states [n, d_model] of the real target tokens."""
    output, gold = a_pass.transformer.output, a_pass.inputs.gold
    smoothing = a_pass.config.label_smoothing
    return smoothed_loss(hidden, output.weight, output.bias, gold, smoothing, a_pass.tokens)
