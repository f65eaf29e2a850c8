"""`Task`: a built-in task, which makes the pairs that a model learns from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from model.alignment.links import Links
from model.config import TaskName
from model.data.pairs.pair_files import Pair


@dataclass(frozen=True, kw_only=True)
class Task:
    """A way to make pairs, as many as one likes; the same seed gives the same ones in the same order.

    Attributes:
        title: its name for a person.
        about: what the pairs are, in a sentence or two.
        limits: what a model of the task cannot do.
        about_zh, limits_zh: the same in Chinese.
        draw: from a seed to pairs without end; their words are separated by single spaces.
        draw_links: from a seed to the gold word alignments of these pairs; None where there are none.
        size: pairs made unless another number is asked for.
        preset: of `model.train_options.PRESETS`, that learns it.
        options: fields of `model.train_options.TrainOptions` that suit it better than their defaults.
        probes: sources whose attention is worth watching.
    """

    name: TaskName
    title: str
    about: str
    limits: str
    about_zh: str
    limits_zh: str
    draw: Callable[[int], Iterator[Pair]]
    draw_links: Callable[[int], Iterator[Links]] | None = None
    size: int = 20_000
    preset: str = "tiny"
    options: Mapping[str, Any] = field(default_factory=dict)
    probes: tuple[str, ...]

    def pairs(self, count: int, seed: int) -> Iterator[Pair]:
        """Yields the first pairs, each made when it is asked for."""
        return islice(self.draw(seed), count)

    def links(self, count: int, seed: int) -> Iterator[Links]:
        """Yields the gold word alignments of the first pairs; none where the task has none."""
        return iter(()) if self.draw_links is None else islice(self.draw_links(seed), count)
