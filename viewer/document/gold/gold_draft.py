"""Gold links as they are being typed: what they would be, or what is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from model.alignment.links import Gold
from model.alignment.pharaoh import parse_line
from model.errors import HeadscopeError
from model.trace.trace import Trace
from viewer.document.text.gold_words import words_of_gold


@dataclass(frozen=True)
class GoldDraft:
    """What a line of links comes to.

    Attributes:
        source, target: the words that can be linked; empty where they do not spell the sentence.
        gold: the links; None while there is a problem.
        problem: what is wrong.
    """

    source: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    gold: Gold | None = None
    problem: HeadscopeError | None = None

    @property
    def pairs(self) -> tuple[tuple[str, str, bool], ...]:
        """The words of each link, source first, and whether it is sure; in the order of the target."""
        if self.gold is None:
            return ()
        links = sorted(self.gold.allowed, key=lambda link: (link[1], link[0]))
        sure = set(self.gold.sure)
        return tuple((self.source[i], self.target[j], (i, j) in sure) for i, j in links)


def draft_of(trace: Trace, links: str, *, one_based: bool, source: str, target: str) -> GoldDraft:
    """Read a line of links between given words.

    Args:
        links: in Pharaoh format.
        one_based: its words count from 1.
        source, target: with spaces between the words; empty for those of the sentence itself.
    """
    words = Gold(source=" ".join(source.split()), target=" ".join(target.split()))
    try:
        found = words_of_gold(trace, words)
    except HeadscopeError as error:
        return GoldDraft(problem=error)
    # Which words they count is kept, whatever is taken for the sentence's own one day.
    words = replace(words, source=" ".join(found.source), target=" ".join(found.target))
    try:
        gold = _only_line(links, one_based=one_based)
        gold = replace(gold, source=words.source, target=words.target)
        gold.check(len(found.source), len(found.target), one_based=one_based)
    except HeadscopeError as error:
        return GoldDraft(found.source, found.target, problem=error)
    return GoldDraft(found.source, found.target, gold)


def _only_line(links: str, *, one_based: bool) -> Gold:
    lines = [line for line in links.splitlines() if line.strip()]
    if len(lines) > 1:
        raise HeadscopeError("pharaoh_several", count=len(lines))
    return parse_line(lines[0] if lines else "", one_based=one_based)
