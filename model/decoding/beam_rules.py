"""Beam rules: two ways to treat finished hypotheses in a beam search (`DecodingRules.beam`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from model.decoding.beam_tree import BeamNode, Fate
from model.decoding.decode_config import DecodeConfig
from model.folder.decoding_rules import DecodingRules, EarlyStopping

# A wide beam considers its width squared at every step; of more than this the least probable are not told.
MOST_TOLD = 4096


class Proposal(NamedTuple):
    """A continuation that is considered.

    Attributes:
        beam: the parent's place in the beam.
        rank: the token's place among all, the most probable 1.
        score: of the whole hypothesis; see `model.decoding.beam_tree.Hypothesis`.
        rank_score: likewise.
        ends: whether the token is an end token.
    """

    beam: int
    token: int
    logprob: float
    rank: int
    score: float
    rank_score: float
    ends: bool


class Ending(Protocol):
    """Decides about continuations, and holds the hypotheses that have ended."""

    @property
    def each(self) -> int:
        """How many continuations of each hypothesis in the beam are considered."""

    @property
    def most(self) -> int:
        """How many are considered in all."""

    def fates(self, proposals: Sequence[Proposal], *, at_limit: bool) -> list[Fate]:
        """What becomes of the continuations of a step, which come best score first.

        Args:
            at_limit: whether the length limit allows no further token.
        """

    def hold(self, nodes: Sequence[BeamNode]) -> None:
        """Take the hypotheses that have ended at a step."""

    def n_best(self, count: int) -> list[BeamNode]:
        """The best that have ended, best first, at most `count`."""

    def decided(self, live: Sequence[BeamNode], steps: int) -> bool:
        """Whether the search is over after so many steps, though hypotheses are left in the beam."""


class Places:
    """A finished hypothesis gives up its place in the beam (Sutskever et al. 2014, section 3.2).

    The search is over when no live hypothesis can still come among the n best.
    """

    def __init__(self, config: DecodeConfig, limit: int) -> None:
        self._config = config
        self._limit = limit
        self._ended: list[BeamNode] = []

    @property
    def each(self) -> int:
        """As many as there are places: no other could get one."""
        return self._config.beam_size - sum(node.finished for node in self._ended)

    @property
    def most(self) -> int:
        """All of them, or the best ones of a wide beam."""
        return max(self.each, MOST_TOLD)

    def fates(self, proposals: Sequence[Proposal], *, at_limit: bool) -> list[Fate]:
        """See `Ending`."""
        places = self.each
        ended = Fate.CUT if at_limit else Fate.KEPT
        fates = [Fate.FINISHED if proposal.ends else ended for proposal in proposals[:places]]
        return fates + [Fate.PRUNED] * (len(proposals) - len(fates))

    def hold(self, nodes: Sequence[BeamNode]) -> None:
        """See `Ending`."""
        self._ended += nodes

    def n_best(self, count: int) -> list[BeamNode]:
        """Finished ones by rank_score; if they are too few, those that the length limit cut follow."""
        order = sorted(self._ended, key=lambda node: (not node.finished, -node.hypothesis.rank_score))
        return order[:count]

    def decided(self, live: Sequence[BeamNode], steps: int) -> bool:
        """See `Ending`."""
        finished = [node for node in self.n_best(self._config.n_best) if node.finished]
        if len(finished) < self._config.n_best:
            return False
        # Tokens to come only lower a score; dividing it by a power of the length is monotonic in the length.
        best_score = min(0.0, max(node.hypothesis.score for node in live))
        bound = max(self._config.rank_score(best_score, n) for n in (steps + 1, self._limit))
        return finished[-1].hypothesis.rank_score >= bound


class Apart:
    """Finished hypotheses are kept beside the beam, as many as it is wide, as `transformers` does.

    Considered are each step's best continuations, so many that the beam stays full whatever ends. Those
    that end among the first `beam_size` compete for the places of the finished ones; those that do not end
    fill the beam. The search is over when all these places are taken and the best of the beam, its score
    divided by the power of its present length, is no better than the worst of them: its authors' heuristic
    (`early_stopping=False`). What the length limit cuts counts as finished.

    Args:
        limit: most tokens of a hypothesis.
        ends: how many tokens end a sentence.
        early_stopping: True ends the search as soon as all places are taken; "never" divides by the power
            of the greatest length instead of the present one where that is more.
    """

    def __init__(
        self, config: DecodeConfig, *, limit: int, ends: int, early_stopping: EarlyStopping = False
    ) -> None:
        self._config = config
        self._limit = limit
        self._early = early_stopping
        self._width = config.beam_size
        self._considered = max(2, 1 + ends) * config.beam_size
        self._ended: list[BeamNode] = []

    @property
    def each(self) -> int:
        """All might come from one hypothesis."""
        return self._considered

    @property
    def most(self) -> int:
        """Twice the beam's width with one end token."""
        return self._considered

    def fates(self, proposals: Sequence[Proposal], *, at_limit: bool) -> list[Fate]:
        """See `Ending`."""
        first = [
            place for place, proposal in enumerate(proposals[: self._width]) if proposal.ends or at_limit
        ]
        # Ties go to those that ended before, then to the better score.
        entries = [(node.hypothesis.rank_score, -1) for node in self._ended]
        entries += [(proposals[place].rank_score, place) for place in first]
        entries.sort(key=lambda entry: -entry[0])
        held = {place for _, place in entries[: self._width]}
        fates = [Fate.PRUNED] * len(proposals)
        for place in first:
            whole = Fate.FINISHED if proposals[place].ends else Fate.CUT
            fates[place] = whole if place in held else Fate.OUTRANKED
        going_on = [place for place, proposal in enumerate(proposals) if not (proposal.ends or at_limit)]
        for place in going_on[: self._width]:
            fates[place] = Fate.KEPT
        return fates

    def hold(self, nodes: Sequence[BeamNode]) -> None:
        """See `Ending`."""
        self._ended += nodes
        self._ended.sort(key=lambda node: -node.hypothesis.rank_score)
        del self._ended[self._width :]

    def n_best(self, count: int) -> list[BeamNode]:
        """By rank_score."""
        return self._ended[:count]

    def decided(self, live: Sequence[BeamNode], steps: int) -> bool:
        """See `Ending`."""
        if len(self._ended) < self._width:
            return False
        if self._early is True:
            return True
        longest = self._early == "never" and self._config.length_penalty > 0
        best = self._config.rank_score(live[0].hypothesis.score, self._limit if longest else steps)
        return best <= self._ended[-1].hypothesis.rank_score


def ending(rules: DecodingRules, config: DecodeConfig, *, limit: int, ends: int) -> Ending:
    """The rule that is asked for.

    Args:
        limit: most tokens of a hypothesis.
        ends: how many tokens end a sentence.
    """
    if rules.beam == "places":
        return Places(config, limit)
    return Apart(config, limit=limit, ends=ends, early_stopping=rules.early_stopping)
