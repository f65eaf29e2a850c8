"""Toy tasks: sentence pairs made on the spot, small enough that a person can check what attention should do."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from model.pair_files import Pair

TaskName = Literal["reverse"]

WORDS = (
    "ant bee cat dog egg fox gem hat ink jam key log map net owl pen rat sun tea urn van web yak zoo"
).split()  # fmt: skip


def reverse_pairs(count: int, seed: int, *, shortest: int = 3, longest: int = 12) -> list[Pair]:
    """Sequences of `WORDS` and the same words in reverse order.

    A pure function of its arguments. Lengths and words are drawn evenly and a word may occur twice, so only
    the places of the words tell the answer; pairs may repeat.
    """
    draw = random.Random(f"reverse {seed} {shortest} {longest}")
    pairs = []
    for _ in range(count):
        words = draw.choices(WORDS, k=draw.randint(shortest, longest))
        pairs.append((" ".join(words), " ".join(reversed(words))))
    return pairs


@dataclass(frozen=True)
class Task:
    """How to make a task's pairs: `pairs(count, seed)`; and what it is, in one sentence."""

    pairs: Callable[[int, int], list[Pair]]
    about: str


TASKS: dict[TaskName, Task] = {
    "reverse": Task(
        reverse_pairs,
        f"Sequences of 3 to 12 words, drawn evenly from {len(WORDS)}, written in reverse order.",
    )
}
