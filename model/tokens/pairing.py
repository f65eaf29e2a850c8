"""Pairing: which token of one sequence is which of another. Pure; no torch."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Pair = tuple[int | None, int | None]
Matches = list[tuple[int, int]]
Scores = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Pairing:
    """Two sequences of tokens on one axis.

    Attributes:
        pairs: (i, j) for a token that both have, or for one of A and what B has in its place, (i, None) for
            one that only the first (A) has, (None, j) for one that only the second (B) has; every i and j is
            in exactly one pair, i ascending.
        moved: how many of the tokens that both have stand in another order.
        replaced: tokens of A that B has another token in the place of, with which they share a pair.
    """

    pairs: tuple[Pair, ...]
    moved: int = 0
    replaced: frozenset[int] = frozenset()

    @cached_property
    def common(self) -> int:
        """How many tokens both have."""
        return sum(map(self.is_same, self.pairs))

    @cached_property
    def exchanged(self) -> int:
        """How many pairs are of two different tokens."""
        return sum(map(self.is_replaced, self.pairs))

    def is_same(self, pair: Pair) -> bool:
        """Whether both have the token."""
        return None not in pair and not self.is_replaced(pair)

    def is_replaced(self, pair: Pair) -> bool:
        """Whether the pair is of two different tokens, one in the other's place."""
        return pair[1] is not None and pair[0] in self.replaced

    def place_of(self, side: int, index: int | None) -> int | None:
        """Place on the common axis of a token of A (side 0) or B (side 1); None if there is no such."""
        return None if index is None else self._places[side].get(index)

    def across(self, side: int, index: int | None) -> int | None:
        """The other side's token in the pair of `index` of this side; None if it has none."""
        place = self.place_of(side, index)
        return None if place is None else self.pairs[place][1 - side]

    def nearest(self, side: int, index: int) -> int:
        """Like `across`; for a token that the other lacks, as far after the last one that it has."""
        other = self.across(side, index)
        if other is not None:
            return other
        known = self._known[side]
        before = bisect_right(known, index) - 1
        if before < 0:
            return index
        base = known[before]
        return (self.across(side, base) or 0) + index - base

    @cached_property
    def _places(self) -> tuple[dict[int, int], dict[int, int]]:
        first = {i: place for place, (i, _) in enumerate(self.pairs) if i is not None}
        second = {j: place for place, (_, j) in enumerate(self.pairs) if j is not None}
        return first, second

    @cached_property
    def _known(self) -> tuple[list[int], list[int]]:
        both = [(i, j) for i, j in self.pairs if i is not None and j is not None]
        return sorted(i for i, _ in both), sorted(j for _, j in both)


def align(first: Sequence[str], second: Sequence[str], *, moved: bool = False) -> Pairing:
    """As many equal tokens in equal order as there are; of several such alignments, the least shifted.

    A longest common subsequence (Wagner & Fischer 1974), ties broken by the sum of |i - j|. Between two equal
    tokens, what only the first has and what only the second has stand in each other's place, the first ones
    together and so on. Exchanging the sequences exchanges the pairs and nothing else. O(n m) time and memory.

    Args:
        moved: a token that is left over once in each is the same token in another place (for sentences in
            another word order); never in the decoder, where order is time.
    """
    if (len(first), tuple(first)) <= (len(second), tuple(second)):
        matches = _matches(first, second)
    else:
        matches = sorted((i, j) for j, i in _matches(second, first))
    return _paired(len(first), len(second), matches, _moved(first, second, matches) if moved else {})


def _matches(first: Sequence[str], second: Sequence[str]) -> Matches:
    numbers: dict[str, int] = {}
    a = np.array([numbers.setdefault(key, len(numbers)) for key in first], np.int64)
    b = np.array([numbers.setdefault(key, len(numbers)) for key in second], np.int64)
    n, m = len(a), len(b)
    one = n * m + 1  # a match outweighs all shifts together
    best: Scores = np.zeros((n + 1, m + 1), np.int64)  # of the tokens from i and j on
    columns = np.arange(m)
    for i in range(n - 1, -1, -1):
        matched = np.where(b == a[i], best[i + 1, 1:] + one - np.abs(columns - i), 0)
        either = np.maximum(matched, best[i + 1, :-1])
        best[i, :m] = np.maximum.accumulate(either[::-1])[::-1]
    return _traced(best, a, b, one)


def _traced(best: Scores, a: Scores, b: Scores, one: int) -> Matches:
    found: Matches = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j] and best[i, j] == best[i + 1, j + 1] + one - abs(i - j):
            found.append((i, j))
            i, j = i + 1, j + 1
        elif best[i + 1, j] == best[i, j]:
            i += 1
        else:
            j += 1
    return found


def _moved(first: Sequence[str], second: Sequence[str], matches: Matches) -> dict[int, int]:
    """Tokens that are left over once in each, by their index in the first."""
    used_first, used_second = {i for i, _ in matches}, {j for _, j in matches}
    left = {i: key for i, key in enumerate(first) if i not in used_first}
    right = {j: key for j, key in enumerate(second) if j not in used_second}
    counts, others = Counter(left.values()), Counter(right.values())
    where = {key: j for j, key in right.items() if others[key] == 1}
    return {i: where[key] for i, key in left.items() if counts[key] == 1 and key in where}


def _paired(n: int, m: int, matches: Matches, moved: dict[int, int]) -> Pairing:
    """All tokens of both in one order: between two matches those of both, then those that only one has."""
    pairs: list[Pair] = []
    gone = set(moved.values())
    replaced: set[int] = set()
    i = j = 0
    for next_i, next_j in [*matches, (n, m)]:
        others = [index for index in range(j, next_j) if index not in gone]
        for index in range(i, next_i):
            if index in moved:
                pairs.append((index, moved[index]))
            elif others:
                pairs.append((index, others.pop(0)))
                replaced.add(index)
            else:
                pairs.append((index, None))
        pairs += [(None, index) for index in others]
        if next_i < n:
            pairs.append((next_i, next_j))
        i, j = next_i + 1, next_j + 1
    return Pairing(tuple(pairs), len(moved), frozenset(replaced))
