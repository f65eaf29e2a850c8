"""AER (alignment error rate) of links against gold links.

Och and Ney, 2003: A Systematic Comparison of Various Statistical Alignment Models, Computational Linguistics
29(1).
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Self

from model.alignment.links import Gold, Link


@dataclass(frozen=True)
class Aer:
    """How links A agree with the sure links S and possible links P (which include S) of one sentence or many.

    Rates of a corpus are those of its summed counts: add the counts of the sentences.

    Attributes:
        links: |A|.
        sure: |S|.
        sure_found: |A ∩ S|.
        allowed_found: |A ∩ P|.
    """

    links: int = 0
    sure: int = 0
    sure_found: int = 0
    allowed_found: int = 0

    @classmethod
    def of(cls, links: Set[Link], gold: Gold) -> Self:
        """The counts of one sentence."""
        sure = frozenset(gold.sure)
        return cls(len(links), len(sure), len(links & sure), len(links & gold.allowed))

    def __add__(self, other: Aer) -> Aer:
        return Aer(
            self.links + other.links,
            self.sure + other.sure,
            self.sure_found + other.sure_found,
            self.allowed_found + other.allowed_found,
        )

    @property
    def rate(self) -> float | None:
        """1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|), from 0 (best) to 1; None where there are no links at all."""
        total = self.links + self.sure
        return 1 - (self.sure_found + self.allowed_found) / total if total else None

    def no_better_than(self, baseline: Aer) -> bool:
        """Whether the error rate is not below another's; a rate of nothing is none to compare."""
        return self.rate is not None and baseline.rate is not None and self.rate >= baseline.rate

    @property
    def precision(self) -> float | None:
        """|A ∩ P| / |A|; None without links."""
        return self.allowed_found / self.links if self.links else None

    @property
    def recall(self) -> float | None:
        """|A ∩ S| / |S|; None without sure links."""
        return self.sure_found / self.sure if self.sure else None
