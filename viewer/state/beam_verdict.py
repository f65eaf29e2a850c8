"""What became of each hypothesis of a beam search, and why, from the numbers alone. No Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

from viewer.state.document import Run
from viewer.state.exploring import Considered

Outcome = Literal["won", "outranked", "cut", "pruned", "live", "unfinished"]
ENDED = ("finished", "cut")


@dataclass(frozen=True)
class Verdict:
    """Why a hypothesis stands where it stands.

    Attributes:
        outcome: `won`: it is, or leads to, the translation. `outranked`: it ended, another one ranks higher.
            `cut`: the length limit cut it while another one finished. `pruned`: it, or the last of its
            continuations, got no place in the beam. `live`: still in the beam. `unfinished`: still in the
            beam when the search ended.
        hypothesis: the one asked for.
        decided: itself, or that of its continuations which decided.
        winner: the translation; None before the search has ended.
        place: of a pruned one, its place by score among what its step considered, from 1.
        considered: how many the step of `decided` considered.
        places: how many of them got a place, finished ones included.
        beam: the beam's size.
        last_kept: the lowest score that got a place at that step.
        penalty: the length penalty A.
        by_penalty: by its plain sum `decided` would stand above the winner.
    """

    outcome: Outcome
    hypothesis: Considered
    decided: Considered
    winner: Considered | None
    place: int
    considered: int
    places: int
    beam: int
    last_kept: float
    penalty: float
    by_penalty: bool


class SearchTable:
    """The hypotheses of one beam search, for questions.

    Args:
        considered: in the order of the search; within a step the best first.
        beam: its size.
        penalty: A in rank_score = score / tokens**A.
        over: whether the search has ended with these.
        stopped: a person ended it, so that nothing has won.
    """

    def __init__(
        self,
        considered: Iterable[Considered],
        beam: int,
        penalty: float,
        *,
        over: bool,
        stopped: bool = False,
    ) -> None:
        self.considered = tuple(considered)
        self.beam = beam
        self.penalty = penalty
        self.over = over
        self.stopped = stopped
        self._by_id = {hypothesis.id: hypothesis for hypothesis in self.considered}
        self._steps: dict[int, list[Considered]] = {}
        self._children: dict[int, list[Considered]] = {}
        for hypothesis in self.considered:
            self._steps.setdefault(hypothesis.step, []).append(hypothesis)
            self._children.setdefault(hypothesis.parent or 0, []).append(hypothesis)

    @classmethod
    def of(cls, run: Run, upto: int | None = None) -> Self:
        """The search of a run, or as much of it as was known after a step."""
        search = [h for h in run.search if h.parent is not None]
        known = [h for h in search if upto is None or h.step <= upto]
        over = not run.live and len(known) == len(search)
        decoding = run.trace.decoding
        beam = decoding.get("beam_size")
        widest = max(Counter(h.step for h in search if h.fate != "pruned").values(), default=1)
        penalty = decoding.get("length_penalty", 1.0)
        return cls(
            known,
            beam if isinstance(beam, int) else widest,
            float(penalty) if isinstance(penalty, (int, float)) else 1.0,
            over=over,
            stopped=run.cancelled,
        )

    def __getitem__(self, number: int) -> Considered:
        """The hypothesis of that id; KeyError if there is none."""
        return self._by_id[number]

    @cached_property
    def winner(self) -> Considered | None:
        """The translation: of those that ended the first by rank, finished ones before cut ones."""
        ended = [h for h in self.considered if h.fate in ENDED and self.over and not self.stopped]
        return min(ended, key=_order, default=None)

    def alive(self, number: int) -> bool:
        """Whether it, or something that goes on from it, ended or is in the beam."""
        return number in self._alive

    @cached_property
    def _alive(self) -> frozenset[int]:
        last = max(self._steps, default=-1)
        alive: set[int] = set()
        for hypothesis in reversed(self.considered):
            in_beam = hypothesis.fate == "kept" and hypothesis.step == last
            if hypothesis.fate in ENDED or in_beam or hypothesis.id in alive:
                alive.update((hypothesis.id, hypothesis.parent or 0))
        return frozenset(alive)

    def verdict(self, number: int) -> Verdict:
        """Why a hypothesis stands where it stands; KeyError for an id that is not known."""
        hypothesis = self._by_id[number]
        decided = self._decided_by(hypothesis)
        step = self._steps[decided.step]
        kept = [h for h in step if h.fate != "pruned"]
        winner = self.winner
        return Verdict(
            outcome=self._outcome(decided),
            hypothesis=hypothesis,
            decided=decided,
            winner=winner,
            place=1 + step.index(decided),
            considered=len(step),
            places=len(kept),
            beam=self.beam,
            last_kept=min((h.score for h in kept), default=0.0),
            penalty=self.penalty,
            by_penalty=winner is not None and decided.fate == winner.fate and decided.score > winner.score,
        )

    def _outcome(self, decided: Considered) -> Outcome:
        if decided.fate == "pruned":
            return "pruned"
        if decided.fate == "kept":
            return "unfinished" if self.over else "live"
        if self.winner is None:
            return "live"
        if decided is self.winner:
            return "won"
        return "cut" if decided.fate == "cut" and self.winner.fate == "finished" else "outranked"

    def _decided_by(self, hypothesis: Considered) -> Considered:
        """Of it and what goes on from it the best that ended, else the best in the beam, else the last."""
        line = list(self._line(hypothesis))
        ended = [h for h in line if h.fate in ENDED]
        if ended:
            return min(ended, key=_order)
        leaves = [h for h in line if h.id not in self._children]
        open_ones = [h for h in leaves if h.fate == "kept"]
        if open_ones:
            return max(open_ones, key=lambda h: h.score)
        return max(leaves, key=lambda h: (h.step, h.score))

    def _line(self, hypothesis: Considered) -> Iterable[Considered]:
        waiting = [hypothesis]
        while waiting:
            newest = waiting.pop()
            yield newest
            waiting.extend(self._children.get(newest.id, ()))


def _order(hypothesis: Considered) -> tuple[bool, float]:
    return hypothesis.fate != "finished", -hypothesis.rank_score
