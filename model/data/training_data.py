"""Training data: from a run's options to what it trains on and what it holds out."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from model.data.corpus import references
from model.data.pair_list import PairList, PairStore
from model.data.pair_source import PairSource
from model.data.pairs.pair_files import Pair
from model.data.pairs.survey import Problem
from model.data.selection import Selection
from model.data.split import DEV, TRAIN
from model.errors import HeadscopeError
from model.train_options import TrainOptions

LeftOut = Problem | Literal["test"]

FEW = 50  # pairs that stand in for held-out ones where there are none


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Pairs apart: no source sentence of `dev` occurs in `train`, unless there are too few to hold any out.

    Attributes:
        train, dev: (source, target) texts.
        hashes: SHA-256 of each file by its name.
        held_out: False when `dev` is the first of `train`, because the split leaves nothing else.
        left_out: number of pairs in neither, by the reason: a filter's, or `test` for those of the test part
            and, where the split goes by the target, those whose source is in a stricter part.
        encodings: what each file is written in, by its name.
    """

    train: Sequence[Pair]
    dev: Sequence[Pair]
    hashes: dict[str, str] = field(default_factory=dict)
    held_out: bool = True
    left_out: dict[LeftOut, int] = field(default_factory=dict)
    encodings: dict[str, str] = field(default_factory=dict)


def read_training_data(
    options: TrainOptions, should_cancel: Callable[[], bool] = lambda: False
) -> Generator[tuple[int, int], None, TrainingData]:
    """Reads, filters and splits the pairs that the options name; yields (done, total) bytes of the files.

    Two million pairs take little more memory than their text. Of a task (done, total) are pairs.

    Raises:
        HeadscopeError: as `PairSource.batches`; `training_no_pairs` when nothing is left to train on.
    """
    source = PairSource(options, should_cancel)
    selection = Selection(options)
    store = PairStore()
    for rows in source.batches():
        pairs = [(first, second) for _, first, second in rows]
        for pair, problem in zip(pairs, selection.take(pairs)):
            if not selection.leaves_out(problem):
                store.append(pair)
        yield source.done, source.total
    for _ in source.hash_files():
        yield source.done, source.total
    parts = selection.parts()
    train = PairList(store, np.flatnonzero(parts == TRAIN), swapped=options.swap)
    dev = PairList(store, np.flatnonzero(parts == DEV), swapped=options.swap)
    if not train:
        raise HeadscopeError("training_no_pairs")
    left_out: dict[LeftOut, int] = {"test": len(parts) - len(train) - len(dev)}
    left_out.update(selection.left_out.items())
    held_out = len(dev) > 0
    return TrainingData(
        train, dev if held_out else train[:FEW], source.hashes, held_out, left_out, source.encodings
    )


def first_references(pairs: Sequence[Pair], limit: int) -> list[Pair]:
    """Distinct sources with their first target, spread evenly over the file, at most `limit`."""
    distinct = [(source, targets[0]) for source, targets in references(pairs)]
    stride = max(1, len(distinct) // max(1, limit))
    return distinct[::stride][:limit]
