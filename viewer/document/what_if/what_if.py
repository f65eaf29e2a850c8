"""What-if pairs: a translation and what became of it when the model was altered, compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from model.trace.trace import Trace
from viewer.document.document import Document, Run
from viewer.document.text.input_text import given_steps, produced_logprobs

LIVE_SUFFIX = "~what-if"

Mark = Literal["same", "changed", "removed", "inserted"]


@dataclass(frozen=True, eq=False)
class Pair:
    """What the What if tab is about.

    Attributes:
        baseline: the untouched run, beside which the altered model translates.
        altered: its altered run; None while nothing is altered.
    """

    baseline: Run
    altered: Run | None


@dataclass(frozen=True)
class HeldToken:
    """What the altered model thinks of a token of the untouched translation.

    Attributes:
        step: the step that predicts it.
        before, after: its probability in the untouched and in the altered model, after the same words.
    """

    step: int
    piece: str
    before: float
    after: float

    @property
    def difference(self) -> float:
        """How much more probable the token became, -1 to 1."""
        return self.after - self.before


def pair_of(document: Document, run: Run | None) -> Pair | None:
    """The untouched run that changes are made beside, and its altered run.

    Of an untouched run that is itself, with the altered run that is being worked on. Of an altered run, kept
    or not, it is the nearest run above it in the tree that is untouched: changes always say all that sets a
    run apart from an untouched one, so that a change to a kept run makes another run with one change more.
    None if there is no untouched run, as of an altered trace from a file.
    """
    if run is None:
        return None
    if not run.alterations:
        return Pair(run, document.run(run.id + LIVE_SUFFIX))
    seen, above = {run.id}, document.run(run.parent or "")
    while above is not None and above.alterations:
        if above.id in seen:
            return None
        seen.add(above.id)
        above = document.run(above.parent or "")
    return None if above is None else Pair(above, run)


def marks(before: Sequence[int], after: Sequence[int]) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """For each token of both translations whether it stands in the other one too.

    Args:
        before, after: token ids.

    Returns:
        one mark a token of `before` (`same`, `changed`, `removed`) and of `after` (`same`, `changed`,
        `inserted`), by the longest matching blocks (Ratcliff and Obershelp, as in `difflib`).
    """
    first: list[Mark] = []
    second: list[Mark] = []
    matcher = SequenceMatcher(None, list(before), list(after), autojunk=False)
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        if tag == "equal":
            first += ["same"] * (a1 - a0)
            second += ["same"] * (b1 - b0)
        elif tag == "replace":
            first += ["changed"] * (a1 - a0)
            second += ["changed"] * (b1 - b0)
        else:
            first += ["removed"] * (a1 - a0)
            second += ["inserted"] * (b1 - b0)
    return tuple(first), tuple(second)


def held_tokens(pair: Pair) -> tuple[HeldToken, ...]:
    """The untouched translation's tokens before and after; empty until the altered model has read them."""
    held = None if pair.altered is None else pair.altered.held
    trace = pair.baseline.trace
    if held is None or len(held) != trace.steps:
        return ()
    return tuple(
        HeldToken(step, trace.tgt_out_tokens[step], _share(trace.step_logprob[step]), _share(held[step]))
        for step in range(given_steps(trace), trace.steps)
    )


def total_logprob(trace: Trace) -> float:
    """Natural log probability of the whole translation; behind a prompt of all that was produced."""
    return math.fsum(map(float, produced_logprobs(trace)))


def held_logprob(pair: Pair) -> float | None:
    """Natural log probability that the altered model gives to the untouched translation, if it was asked."""
    held = None if pair.altered is None else pair.altered.held
    if held is None or len(held) != pair.baseline.trace.steps:
        return None
    return sum(
        map(float, held[given_steps(pair.baseline.trace) :])
    )  # of what a session says there may be infinities of both signs


def _share(logprob: float) -> float:
    return math.exp(min(0.0, float(logprob)))
