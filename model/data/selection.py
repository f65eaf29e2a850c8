"""`Selection`: the pairs that training uses of those it reads; a survey tells by the same code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from model.data.filters import PairFilter
from model.data.pairs.pair_files import Pair
from model.data.pairs.survey import Problem
from model.data.split import Splitter
from model.train_options import TrainOptions


class Selection:
    """Filters pairs batch after batch, and in the end tells the part of each that was not left out.

    Attributes:
        counts: pairs with each problem so far; a pair counts for its first problem alone. Duplicates are
            counted even where they are not left out.
    """

    def __init__(self, options: TrainOptions) -> None:
        """Take the filters and the split from the options of a run."""
        self.counts: Counter[Problem] = Counter()
        self._filter = PairFilter(options.max_characters, options.max_ratio, options.drop_duplicates)
        self._splitter = Splitter(options.split, swap=options.swap)

    def take(self, pairs: Sequence[Pair]) -> list[Problem | None]:
        """The first problem of each of the next pairs, as they stand in the file (column 1, column 2)."""
        problems = self._filter.problems(pairs)
        for (first, second), problem in zip(pairs, problems):
            if problem is not None:
                self.counts[problem] += 1
            if not self.leaves_out(problem):
                self._splitter.add(first, second)
        return problems

    def leaves_out(self, problem: Problem | None) -> bool:
        """Whether a pair with that problem is not used."""
        return self._filter.leaves_out(problem)

    @property
    def left_out(self) -> dict[Problem, int]:
        """Pairs that were left out for each problem."""
        return {problem: count for problem, count in self.counts.items() if self.leaves_out(problem)}

    def parts(self) -> NDArray[np.uint8]:
        """[N] the part of each pair that was not left out; see `Splitter.parts`."""
        return self._splitter.parts()

    def sources(self) -> int:
        """Distinct source sentences of them."""
        return self._splitter.sources()
