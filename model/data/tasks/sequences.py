"""Sequences of words copied, reversed or sorted: each output word has one place where it comes from."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from model.alignment.links import Links
from model.data.pairs.pair_files import Pair

WORDS = (
    "ant", "bee", "cat", "dog", "egg", "fox", "gem", "hat", "ink", "jam", "key", "log",
    "map", "net", "owl", "pen", "rat", "sun", "tea", "urn", "van", "web", "yak", "zoo",
)  # fmt: skip

ANIMALS = ("ant", "bee", "cat", "dog", "fox", "owl", "rat", "yak")
THINGS = ("egg", "gem", "hat", "ink", "jam", "key", "map", "pen")

Order = Callable[[Sequence[str]], list[int]]
"""Of a sequence's words: where each word of the output stands in it."""


def copy_order(words: Sequence[str]) -> list[int]:
    """Each word in its own place."""
    return list(range(len(words)))


def reverse_order(words: Sequence[str]) -> list[int]:
    """The last word first."""
    return list(range(len(words)))[::-1]


def sort_order(words: Sequence[str]) -> list[int]:
    """By the alphabet; of equal words the first comes first."""
    return sorted(range(len(words)), key=words.__getitem__)


def draw_ordered(name: str, order: Order, seed: int, shortest: int = 3, longest: int = 12) -> Iterator[Pair]:
    """Yields for ever sequences of `WORDS` and their words in another order; they may repeat.

    Args:
        name: of the task; tasks of different names draw different sequences from the same seed.
        shortest, longest: words of a sequence; all lengths and all words are equally likely.
    """
    for words in _draw_words(name, seed, shortest, longest):
        yield " ".join(words), " ".join(words[place] for place in order(words))


def draw_either(seed: int, shortest: int = 4, longest: int = 6) -> Iterator[Pair]:
    """Yields for ever animals and then things, all different, and them forward or backward, by a coin.

    So one word of a target tells which of both it is; the word in the middle of an odd number does not.
    """
    draw = random.Random(f"either {seed} {shortest} {longest}")
    while True:
        count = draw.randint(shortest, longest)
        words = draw.sample(ANIMALS, k=count - count // 2) + draw.sample(THINGS, k=count // 2)
        order = copy_order(words) if draw.random() < 0.5 else reverse_order(words)
        yield " ".join(words), " ".join(words[place] for place in order)


def draw_order_links(name: str, order: Order, seed: int) -> Iterator[Links]:
    """Yields for ever the (source, target) places of the words of `draw_ordered`."""
    for words in _draw_words(name, seed, 3, 12):
        yield tuple(sorted((i, j) for j, i in enumerate(order(words))))


def reverse_pairs(count: int, seed: int, *, shortest: int = 3, longest: int = 12) -> list[Pair]:
    """Sequences of `WORDS` and the same words in reverse order.

    A pure function of its arguments. Lengths and words are drawn evenly and a word may occur twice, so only
    the places of the words tell the answer; pairs may repeat.
    """
    return list(islice(draw_ordered("reverse", reverse_order, seed, shortest, longest), count))


def _draw_words(name: str, seed: int, shortest: int, longest: int) -> Iterator[list[str]]:
    draw = random.Random(f"{name} {seed} {shortest} {longest}")
    while True:
        yield draw.choices(WORDS, k=draw.randint(shortest, longest))
