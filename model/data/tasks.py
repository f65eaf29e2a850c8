"""Toy tasks: pairs made on the spot, so simple that a person can tell what attention should do."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from model.data.pair_files import Pair

TaskName = Literal["reverse"]

WORDS = (
    "ant", "bee", "cat", "dog", "egg", "fox", "gem", "hat", "ink", "jam", "key", "log",
    "map", "net", "owl", "pen", "rat", "sun", "tea", "urn", "van", "web", "yak", "zoo",
)  # fmt: skip


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
    """A way to make pairs.

    Attributes:
        pairs: (count, seed) to that many pairs.
        about: what the pairs are, in one sentence.
        limits: what a model of the task cannot do.
    """

    pairs: Callable[[int, int], list[Pair]]
    about: str
    limits: str


TASKS: dict[TaskName, Task] = {
    "reverse": Task(
        reverse_pairs,
        f"Sequences of 3 to 12 words, drawn evenly from {len(WORDS)}, and the same words in reverse order.",
        f"It translates nothing. It reads {len(WORDS)} words ({', '.join(WORDS)}) and takes every other word "
        "for one unknown token. It learned sequences of 3 to 12 words; longer ones it gets wrong.",
    )
}
