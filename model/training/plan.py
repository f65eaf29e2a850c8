"""Step plan: which batches make up which step, a function of corpus, configuration and step alone."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from model.config import TrainConfig
from model.data.batches import plan_epoch
from model.data.corpus import EncodedCorpus


class StepPlan:
    """Optimizer steps of `config.accumulate` batches each; the last of an epoch may have fewer."""

    def __init__(self, corpus: EncodedCorpus, config: TrainConfig) -> None:
        self.corpus = corpus
        self.config = config
        self._epoch = -1
        self._batches: list[NDArray[np.int64]] = []
        self._ends: list[int] = [0]
        self.total_steps = self._total()

    def batches(self, step: int) -> list[NDArray[np.int64]]:
        """The pairs of each batch of step number `step`, from 0."""
        number = self.epoch_of(step)
        first = (step - self._ends[number]) * self.config.accumulate
        return self._plan(number)[first : first + self.config.accumulate]

    def epochs_done(self, step: int) -> float:
        """Passes over the data after `step` steps, in fractions."""
        number = self.epoch_of(step)
        return number + (step - self._ends[number]) / max(1, self.steps_in(number))

    def epoch_of(self, step: int) -> int:
        """The epoch that step number `step` (from 0) belongs to."""
        for _ in self.reach(step):
            pass
        number = len(self._ends) - 2
        while self._ends[number] > step:
            number -= 1
        return number

    def reach(self, step: int) -> Iterator[int]:
        """Plan all epochs up to that of a step, where that was not yet done; yields the steps planned.

        Where an epoch ends depends on its own order of the pairs, so none can be skipped.
        """
        while self._ends[-1] <= step:
            self._ends.append(self._ends[-1] + self.steps_in(len(self._ends) - 1))
            yield self._ends[-1]

    def steps_in(self, epoch: int) -> int:
        """Steps of one epoch."""
        return math.ceil(len(self._plan(epoch)) / self.config.accumulate)

    def _plan(self, epoch: int) -> list[NDArray[np.int64]]:
        if epoch != self._epoch:
            self._batches, self._epoch = plan_epoch(self.corpus, self.config, epoch), epoch
        return self._batches

    def _total(self) -> int:
        """Steps to the nearest limit of steps or epochs, all as long as the first; 0: there is none."""
        limits = [self.config.steps] if self.config.steps else []
        if self.config.epochs:
            limits.append(math.ceil(self.config.epochs * self.steps_in(0)))
        return min(limits, default=0)
