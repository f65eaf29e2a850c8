"""`Trained`: a model of an experiment once it is trained, for its measures."""

from __future__ import annotations

import functools
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from model.bundle.bundle import Bundle, load_bundle
from model.data.pairs.pair_files import Pair
from model.data.tasks.registry import TASKS
from model.decoding.batch_decoding import translation_steps
from model.decoding.decode_config import DecodeConfig
from model.experiments.running.watching import WATCHED, read_rows
from model.train_options import TrainOptions

# Far from every seed that trains, so that what is tested is drawn apart from what was learned.
TEST_SEED = 1_000_003


@dataclass(frozen=True, eq=False)
class Trained:
    """A trained model.

    Attributes:
        folder: its bundle; what was kept of the run (log, probe frames) lies there too.
        options: what its training was told.
        tiny: this only checks that everything runs: little is enough.
    """

    folder: Path
    arm: str
    seed: int
    options: TrainOptions
    tiny: bool

    @functools.cached_property
    def bundle(self) -> Bundle:
        """The model."""
        return load_bundle(self.folder)

    @functools.cached_property
    def watched(self) -> dict[str, list[Any]]:
        """What was noted of it while it was trained: by name, and `step`; a number or a list a moment."""
        rows = read_rows(self.folder / WATCHED)
        return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}

    def other(self, arm: str) -> Bundle:
        """Another arm's model of the same seed; all are trained before any is measured."""
        return load_bundle(self.folder.with_name(f"{arm}-{self.seed}"))

    def pairs(self, count: int) -> list[Pair]:
        """Pairs of the task that it was not trained on, the same for every arm of a seed; fewer when tiny."""
        assert self.options.task is not None
        task = TASKS[self.options.task]
        known = set(task.pairs(self.options.task_size, self.seed))
        drawn = task.pairs(50 * count, self.seed + TEST_SEED)
        fresh = (pair for pair in dict.fromkeys(drawn) if pair not in known)
        return list(islice(fresh, 8 if self.tiny else count))


def translated(
    bundle: Bundle, texts: Sequence[str], rounds: int = DecodeConfig.rounds
) -> Generator[None, None, list[str]]:
    """Greedy translations, or in so many rounds where the model writes so; yields often."""
    network = bundle.transformer
    outputs = [""] * len(texts)
    steps = translation_steps(
        network,
        bundle.source_tokenizer,
        bundle.target_tokenizer,
        texts,
        most=network.architecture.max_positions,
        rounds=rounds,
    )
    for done in steps:
        if done is None:
            yield None
        else:
            outputs[done[0]] = done[1]
    return outputs


def accuracy(bundle: Bundle, pairs: Sequence[Pair]) -> Generator[None, None, float]:
    """The share of pairs whose greedy translation is right in every word."""
    outputs = yield from translated(bundle, [source for source, _ in pairs])
    right = [output == target for output, (_, target) in zip(outputs, pairs, strict=True)]
    return sum(right) / max(1, len(right))
