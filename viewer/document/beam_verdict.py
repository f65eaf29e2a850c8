"""Beam verdicts: what became of each hypothesis, and why, from the numbers alone. No Qt."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

from viewer.document.document import Run
from viewer.document.messages.considered import Considered
from viewer.document.text.input_text import given_steps

Outcome = Literal["won", "outranked", "crowded", "late", "cut", "pruned", "live", "unfinished"]
ENDED = ("finished", "cut")


@dataclass(frozen=True)
class Verdict:
    """Why a hypothesis stands where it stands.

    Attributes:
        outcome: `won`: it is, or leads to, the translation. `outranked`: it ended, another one ranks higher.
            `crowded`: it ended, as many as are kept apart rank higher. `late`: it ended, but not among the
            first of its step, and no others count. `cut`: the length limit cut it while another one finished.
            `pruned`: it, or the last of its continuations, got no place in the beam. `live`: still in the
            beam, or ended, and nothing is decided yet. `unfinished`: still in the beam when the search ended.
        hypothesis: the one asked for.
        decided: itself, or that of its continuations which decided.
        step: the row that predicted its token, those of a prompt included.
        winner: the translation; None before the search has ended.
        place: of a pruned one, its place by score among what its step considered, from 1.
        considered: how many the step of `decided` considered.
        places: how many of them got a place; finished ones included, unless they are kept apart.
        beam: the beam's size.
        last_kept: the lowest score that got a place at that step.
        last_ended: the lowest rank score of those that are kept apart.
        apart: whether finished ones are kept beside the beam, as many as it is wide, as by `transformers`;
            else each gives up its place.
        penalty: the length penalty A.
        stopped: a person ended the search before it was decided.
        by_penalty: by its plain sum `decided` would stand above the winner.
    """

    outcome: Outcome
    hypothesis: Considered
    decided: Considered
    step: int
    winner: Considered | None
    place: int
    considered: int
    places: int
    beam: int
    last_kept: float
    last_ended: float
    apart: bool
    stopped: bool
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
        apart: see `Verdict`.
        given: rows of a prompt.
    """

    def __init__(
        self,
        considered: Iterable[Considered],
        beam: int,
        penalty: float,
        *,
        over: bool,
        stopped: bool = False,
        apart: bool = False,
        given: int = 0,
    ) -> None:
        self.considered = tuple(considered)
        self.beam = beam
        self.penalty = penalty
        self.over = over
        self.stopped = stopped
        self.apart = apart
        self.given = given
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
            apart=decoding.get("beam_rule") == "apart",
            given=given_steps(run.trace),
        )

    def __getitem__(self, number: int) -> Considered:
        """The hypothesis of that id; KeyError if there is none."""
        return self._by_id[number]

    @cached_property
    def winner(self) -> Considered | None:
        """The translation: of those that ended the first by rank, finished ones before cut ones.

        Where finished ones are kept apart, those that the length limit cut are no worse.
        """
        ended = self._ended if self.over and not self.stopped else []
        return min(ended, key=self._order, default=None)

    @cached_property
    def _ended(self) -> list[Considered]:
        return [h for h in self.considered if h.fate in ENDED]

    @cached_property
    def _crowded(self) -> frozenset[int]:
        """Those that ended and are not among the best that are kept apart."""
        if not self.apart:
            return frozenset()
        ranked = sorted(self._ended, key=self._order)
        outranked = [h for h in self.considered if h.fate == "outranked"]
        return frozenset(h.id for h in (*ranked[self.beam :], *outranked))

    def _order(self, hypothesis: Considered) -> tuple[bool, float]:
        return hypothesis.fate != "finished" and not self.apart, -hypothesis.rank_score

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
        kept = self._kept(step)
        winner = self.winner
        held = sorted((h.rank_score for h in self._ended), reverse=True)[: self.beam]
        return Verdict(
            outcome=self._outcome(decided),
            hypothesis=hypothesis,
            decided=decided,
            step=self.given + decided.step,
            winner=winner,
            place=1 + step.index(decided),
            considered=len(step),
            places=len(kept),
            beam=self.beam,
            last_kept=min((h.score for h in kept), default=0.0),
            last_ended=min(held, default=0.0),
            apart=self.apart,
            stopped=self.stopped,
            penalty=self.penalty,
            by_penalty=winner is not None
            and (self.apart or decided.fate == winner.fate)
            and decided.score > winner.score,
        )

    def _kept(self, step: list[Considered]) -> list[Considered]:
        """Those of a step that got a place in the beam; of the last step those that ended."""
        in_beam = [h for h in step if h.fate == "kept"] if self.apart else []
        return in_beam or [h for h in step if h.fate != "pruned"]

    def _outcome(self, decided: Considered) -> Outcome:
        if decided.fate == "pruned":
            # A better one than some that stay in the beam can only have ended.
            worst = min((h.score for h in self._kept(self._steps[decided.step])), default=-math.inf)
            return "late" if self.apart and decided.score > worst else "pruned"
        if decided.id in self._crowded:
            return "crowded"
        if decided.fate == "kept":
            return "unfinished" if self.over and not self.stopped else "live"
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
            return min(ended, key=self._order)
        leaves = [h for h in line if h.id not in self._children]
        open_ones = [h for h in leaves if h.fate == "kept"]
        if open_ones:
            return max(open_ones, key=lambda h: h.score)
        crowded = [h for h in leaves if h.id in self._crowded]
        return max(crowded or leaves, key=lambda h: (h.step, h.score))

    def _line(self, hypothesis: Considered) -> Iterable[Considered]:
        waiting = [hypothesis]
        while waiting:
            newest = waiting.pop()
            yield newest
            waiting.extend(self._children.get(newest.id, ()))
