"""Derived options: what a run works out once the pairs are read, cut into pieces, and timed."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

import numpy as np

from model.data.corpus import EncodedCorpus
from model.data.pairs.pair_files import Pair
from model.train_options import TrainOptions
from model.training.fields.derive import Derived, advice, derive
from model.training.fields.facts import Facts, facts_of_text
from model.training.progress.events import WorkEvent
from model.training.speed import measured_speed
from model.work import retold


class DerivedOptions:
    """Options on their way from what was given to what is recorded; nothing happens where all was given.

    Attributes:
        options: with what is known by now.
        told: what is not as usual, and why.
    """

    def __init__(self, options: TrainOptions, train: Sequence[Pair]) -> None:
        """Derive what the text alone says: the size of the vocabulary."""
        self.options = options
        self.told: list[Derived] = []
        self._facts = facts_of_text(train, len(train), options) if options.auto else Facts()
        self._derive()

    def derive_rest(
        self, corpus: EncodedCorpus, sizes: tuple[int, int], world: int
    ) -> Generator[WorkEvent, None, None]:
        """Derive the rest; a run that ends by the clock is timed first.

        Args:
            sizes: of both vocabularies.
            world: processes that share the steps.
        """
        if not self.options.auto:
            return
        tokens = int(np.maximum(corpus.source_lengths, corpus.target_lengths + 1).sum())
        self._facts = replace(self._facts, pairs=len(corpus), tokens=float(tokens))
        if self.options.train.minutes:
            sign = WorkEvent(step=0, epoch=0.0, stage="measuring")
            yield sign
            architecture = self.options.architecture_with(*sizes)
            measuring = measured_speed(architecture, self.options.train, corpus, self.options.train.threads)
            speed = yield from retold(measuring, lambda _: sign)
            self._facts = replace(self._facts, speed=speed * world)
        self._derive()
        # A limit that nobody can count in steps: what was to follow from it stays as usual.
        self.options = replace(self.options, auto=())

    def advice(self) -> Derived | None:
        """What the person might have chosen otherwise."""
        return advice(self.options, self._facts)

    def _derive(self) -> None:
        self.options, told = derive(self.options, self._facts)
        self.told += told
