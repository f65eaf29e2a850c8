"""BleuCounts: what BLEU is made of, counted from tokens, and the score from the counts. No torch.

Papineni et al. 2002 (P02-1040), sections 2.1 to 2.3; zero counts as sacreBLEU treats them (Post 2018, arXiv
1804.08771).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

Gram = tuple[str, ...]


@dataclass(frozen=True)
class BleuCounts:
    """Of one candidate against its references, or summed over a corpus.

    Attributes:
        matches: of each order from 1 on how many n-grams of the candidate match, each counted at most as
            often as it stands in the one reference that has it most often.
        totals: of each order how many n-grams the candidate has.
        candidate: its tokens.
        reference: tokens of the reference whose length is nearest, the shorter one of two.
    """

    matches: tuple[int, ...]
    totals: tuple[int, ...]
    candidate: int
    reference: int

    @property
    def brevity_penalty(self) -> float:
        """e^(1 − r/c) where the candidate is shorter, else 1 (section 2.2)."""
        if self.candidate >= self.reference:
            return 1.0
        return math.exp(1 - self.reference / self.candidate) if self.candidate else 0.0

    def precisions(self, smoothing: str) -> tuple[float, ...]:
        """Of each order, 0 to 1; NaN where the candidate has no n-grams of that order.

        Args:
            smoothing: `none`, or `exp` as sacreBLEU: the k-th order without a match counts 1/2^k matches.
        """
        found, zeros = [], 0
        for matches, total in zip(self.matches, self.totals, strict=True):
            if total and not matches and smoothing == "exp":
                zeros += 1
                found.append(1 / (2**zeros * total))
            else:
                found.append(matches / total if total else math.nan)
        return tuple(found)

    def score(self, smoothing: str, effective: bool) -> float:
        """The brevity penalty times the geometric mean of the precisions, 0 to 1.

        Args:
            effective: the mean is of the orders that the candidate has n-grams of; else one that is too short
                for all orders has 0, as in a corpus.
        """
        if not any(self.matches):
            return 0.0
        precisions = [p for p in self.precisions(smoothing) if not (effective and math.isnan(p))]
        if not all(p > 0 for p in precisions):
            return 0.0
        return self.brevity_penalty * math.exp(sum(map(math.log, precisions)) / len(precisions))


def grams(tokens: Sequence[str], n: int) -> list[Gram]:
    """All n-grams in order."""
    return [tuple(tokens[place : place + n]) for place in range(len(tokens) - n + 1)]


def allowed(references: Sequence[Sequence[str]], n: int) -> Counter[Gram]:
    """How often each n-gram may match: as often as it stands in the reference that has it most often."""
    found: Counter[Gram] = Counter()
    for reference in references:
        found |= Counter(grams(reference, n))
    return found


def counted(candidate: Sequence[str], references: Sequence[Sequence[str]], orders: int) -> BleuCounts:
    """Counts of one candidate, for orders 1 to `orders`."""
    matches, totals = [], []
    for n in range(1, orders + 1):
        own = Counter(grams(candidate, n))
        matches.append((own & allowed(references, n)).total())
        totals.append(own.total())
    lengths = [len(reference) for reference in references]
    nearest = min(lengths, key=lambda length: (abs(length - len(candidate)), length))
    return BleuCounts(tuple(matches), tuple(totals), len(candidate), nearest)


def covered(candidate: Sequence[str], limits: Counter[Gram], n: int) -> tuple[list[bool], list[bool]]:
    """Of each token whether it is in an n-gram that counts, and in one that is there too often.

    Of equal n-grams the first ones count.
    """
    counting, clipped = [False] * len(candidate), [False] * len(candidate)
    used: Counter[Gram] = Counter()
    for place, gram in enumerate(grams(candidate, n)):
        if gram not in limits:
            continue
        used[gram] += 1
        marks = counting if used[gram] <= limits[gram] else clipped
        marks[place : place + n] = [True] * n
    return counting, clipped
