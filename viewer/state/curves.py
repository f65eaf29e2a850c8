"""What a run measured at each step and at each evaluation, as growing columns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from model.training.events import EvalEvent, StepEvent

Column = npt.NDArray[np.float64]
Series = tuple[Column, Column]


class Curves:
    """`loss`, `lr`, `grad_norm`, `tokens_per_second` by step; `heldout_loss` and `bleu` by evaluation."""

    NAMES = ("loss", "lr", "grad_norm", "tokens_per_second", "heldout_loss", "bleu")

    def series(self, name: str) -> Series:
        """Steps and values of one column, ascending; read-only views, empty when nothing was measured."""
        raise NotImplementedError

    def add_step(self, event: StepEvent) -> None:
        """Take a step's measures."""
        raise NotImplementedError

    def add_evaluation(self, event: EvalEvent) -> None:
        """Take an evaluation's measures."""
        raise NotImplementedError
