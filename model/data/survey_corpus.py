"""`survey_corpus`: reads a corpus through and says what is in it, growing while it reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from model.data.pair_source import PairSource
from model.data.pairs.pair_files import Row
from model.data.pairs.survey import SAMPLED, CorpusSurvey, PreviewPair, Problem
from model.data.selection import Selection
from model.data.split import DEV, TRAIN
from model.train_options import TrainOptions

PREVIEW = 200  # pairs shown
REPORT_PAIRS = 20_000  # pairs between two surveys, once the preview is full
LONGEST = 400  # characters; the last place of a length histogram counts everything from there on


def survey_corpus(
    options: TrainOptions, should_cancel: Callable[[], bool] = lambda: False
) -> Iterator[CorpusSurvey]:
    """Yields what is known of the pairs that the options name, the last time complete.

    The first one comes as soon as the preview is full. What a filter of the options leaves out and how large
    each part becomes is found by the code that training uses.

    Raises:
        HeadscopeError: as `PairSource.batches`.
    """
    source = PairSource(options, should_cancel)
    surveyor = _Surveyor(options)
    reported = 0
    for rows in source.batches():
        surveyor.take(rows)
        due = surveyor.pairs - reported >= REPORT_PAIRS
        if due or (not reported and surveyor.pairs >= PREVIEW):
            reported = surveyor.pairs
            yield surveyor.survey(source, complete=False)
    yield surveyor.survey(source, complete=True)


class _Surveyor:
    """Adds up what is found in batches of rows."""

    def __init__(self, options: TrainOptions) -> None:
        self.pairs = 0
        self._swap = options.swap
        self._selection = Selection(options)
        self._first: list[PreviewPair] = []
        self._characters: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        self._lengths = [np.zeros(LONGEST + 1, np.int64), np.zeros(LONGEST + 1, np.int64)]

    def take(self, rows: Sequence[Row]) -> None:
        """Add the next rows."""
        pairs = [(first, second) for _, first, second in rows]
        problems = self._selection.take(pairs)
        for pair in pairs[: max(0, SAMPLED - self.pairs)]:
            for characters, text in zip(self._characters, pair):
                characters.update(text)
        self.pairs += len(pairs)
        for side, counts in enumerate(self._lengths):
            counts += _histogram([len(pair[side]) for pair in pairs])
        for row, problem in zip(rows[: PREVIEW - len(self._first)], problems):
            self._first.append(self._preview(row, problem))

    def survey(self, source: PairSource, *, complete: bool) -> CorpusSurvey:
        """What is known; the parts only when it is complete, as they depend on all pairs."""
        known = {"train": 0, "dev": 0, "test": 0, "sources": 0}
        if complete:
            parts = self._selection.parts()
            train, dev = int((parts == TRAIN).sum()), int((parts == DEV).sum())
            known = {"train": train, "dev": dev, "test": len(parts) - train - dev}
            known["sources"] = self._selection.sources()
        first, second = self._lengths[::-1] if self._swap else self._lengths
        ours, theirs = self._characters[::-1] if self._swap else self._characters
        return CorpusSurvey(
            layout=source.layout,
            complete=complete,
            done=source.done,
            total=source.total,
            pairs=self.pairs,
            encodings=dict(source.encodings),
            header=source.header,
            first=tuple(self._first),
            counts=dict(self._selection.counts),
            source_lengths=first.copy(),
            target_lengths=second.copy(),
            characters=(dict(ours), dict(theirs)) if complete else ({}, {}),
            **known,
        )

    def _preview(self, row: Row, problem: Problem | None) -> PreviewPair:
        number, first, second = row
        source, target = (second, first) if self._swap else (first, second)
        problems = () if problem is None or not self._selection.leaves_out(problem) else (problem,)
        return PreviewPair(number, source, target, len(source), len(target), problems)


def _histogram(lengths: list[int]) -> NDArray[np.int64]:
    counts: NDArray[np.int64] = np.bincount(
        np.minimum(np.array(lengths, dtype=np.int64), LONGEST), minlength=LONGEST + 1
    )
    return counts
