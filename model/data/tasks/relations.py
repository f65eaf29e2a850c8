"""Relations: each output word is made of two source words that stand in places of different kinds.

The word at place j of n is joined with the one at place n + 1 - j, counted from 1: `a c f b` becomes
`ab cf fc ba`. A decoder of one layer has to look at both places at the same step and to know which is which.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from model.alignment.links import Links
from model.data.pairs.pair_files import Pair

LETTERS = tuple("abcdef")
SHORTEST, LONGEST = 3, 8


def related(words: Sequence[str]) -> list[str]:
    """Each word joined with its mirror image's."""
    return [one + other for one, other in zip(words, reversed(words), strict=True)]


def draw_relations(seed: int) -> Iterator[Pair]:
    """Yields for ever sequences of `LETTERS` and of their pairs; lengths and letters are equally likely."""
    for words in _draw_words(seed):
        yield " ".join(words), " ".join(related(words))


def draw_relation_links(seed: int) -> Iterator[Links]:
    """Yields for ever (source, target) places of both words of each pair."""
    for words in _draw_words(seed):
        last = len(words) - 1
        yield tuple(sorted({(i, j) for j in range(last + 1) for i in (j, last - j)}))


def _draw_words(seed: int) -> Iterator[list[str]]:
    draw = random.Random(f"relations {seed}")
    while True:
        yield draw.choices(LETTERS, k=draw.randint(SHORTEST, LONGEST))
