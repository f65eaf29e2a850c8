"""teacher_forcing: each token predicted from the right ones before it (paper, sections 3.1 and 5.4)."""

from __future__ import annotations

from torch import Tensor

from model.training.objectives.objective import Pass
from model.training.objectives.word_loss import word_loss


def teacher_forcing(a_pass: Pass) -> tuple[Tensor, Tensor]:
    """Label-smoothed cross-entropy of the batch, and the plain one."""
    return row_loss(a_pass, a_pass.hidden())


def row_loss(a_pass: Pass, hidden: Tensor) -> tuple[Tensor, Tensor]:
    """The same of given states [n, ·] of the real target tokens."""
    gold, smoothing = a_pass.inputs.gold, a_pass.config.label_smoothing
    return word_loss(a_pass.transformer, hidden, gold, smoothing, a_pass.tokens, dtype=a_pass.dtype)
