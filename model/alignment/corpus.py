"""Corpus alignment error rates: many sentence pairs, every head and mean side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model.alignment.aer import Aer
from model.alignment.hard import RULES, Rule, WordMap, diagonal_links, links_of
from model.alignment.heads import LayerHead, all_patterns, pattern_at
from model.alignment.links import Gold
from model.trace.trace import Trace

MEAN = "mean"
COLUMNS = (
    "rule", "layer", "head", "aer", "precision", "recall", "links", "sure", "sure_found", "allowed_found"
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """How one head or mean aligns a corpus under one rule."""

    rule: Rule
    place: LayerHead
    aer: Aer

    def rates(self) -> dict[str, Any]:
        """By the names of `COLUMNS`."""
        return dict(zip(COLUMNS, self.values(), strict=True))

    def values(self) -> tuple[Any, ...]:
        """By the names of `COLUMNS`; layers and heads from 0, means say so, a rate of nothing is None."""
        layer, head = (MEAN if part is None else part for part in self.place)
        a = self.aer
        counts = (a.links, a.sure, a.sure_found, a.allowed_found)
        return (self.rule, layer, head, a.rate, a.precision, a.recall, *counts)


class Tally:
    """Sums counts sentence by sentence.

    Args:
        rules: under which rules.
        place: the one head or mean wanted; None for all of them.

    Attributes:
        diagonal: how the plain diagonal agrees with the same gold links, whatever the rule.
    """

    def __init__(self, rules: Sequence[Rule] = RULES, place: LayerHead | None = None) -> None:
        self._rules = rules
        self._place = place
        self._sums: dict[tuple[Rule, LayerHead], Aer] = {}
        self.diagonal = Aer()

    def add(self, trace: Trace, gold: Gold, words: WordMap) -> None:
        """Count one sentence; raises `HeadscopeError` as `WordMap.weights` and `pattern_at`."""
        chosen = self._place
        self.diagonal += Aer.of(diagonal_links(len(words.source), len(words.target)), gold)
        patterns = all_patterns(trace) if chosen is None else [(chosen, pattern_at(trace, chosen))]
        for place, pattern in patterns:
            for rule in self._rules:
                counts = Aer.of(links_of(words.weights(pattern, rule)), gold)
                self._sums[rule, place] = self._sums.get((rule, place), Aer()) + counts

    def rows(self) -> list[Row]:
        """Best first: by error rate, then by rule, layer and head, means after heads."""
        return sorted((Row(rule, place, aer) for (rule, place), aer in self._sums.items()), key=_order)


def _order(row: Row) -> tuple[float, int, tuple[float, ...]]:
    rate = float("inf") if row.aer.rate is None else row.aer.rate
    place = tuple(float("inf") if part is None else part for part in row.place)
    return rate, RULES.index(row.rule), place
