"""Token rows of two runs: which are the same, and how probable each was. No prompt's tokens."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from model.trace.trace import Trace
from viewer.document.text.input_text import given_steps, produced_logprobs
from viewer.figures.difference.alignment import alignment


@dataclass(frozen=True)
class TokenRow:
    """Tokens of A and B in one line.

    Attributes:
        first, second: step at which it was predicted, None where that run has none.
        logprob_first, logprob_second: natural log of the probability it had, None likewise.
        same: both predict the same token there.
    """

    first: int | None
    second: int | None
    logprob_first: float | None
    logprob_second: float | None
    same: bool

    @property
    def change(self) -> float | None:
        """ln p in B − ln p in A of a token that is the same; of two tokens there is no such difference."""
        if not self.same or self.logprob_first is None or self.logprob_second is None:
            return None
        return self.logprob_second - self.logprob_first

    @property
    def points(self) -> float | None:
        """The same as a difference of probabilities, −1 to 1."""
        if not self.same or self.logprob_first is None or self.logprob_second is None:
            return None
        return math.exp(min(0.0, self.logprob_second)) - math.exp(min(0.0, self.logprob_first))


@dataclass(frozen=True)
class Totals:
    """The two outputs as wholes; a prompt's tokens were given, and count for none of them.

    Attributes:
        agreeing: how many tokens that both wrote are the same.
        first, second: how many tokens A and B wrote, the end token included.
        logprob_first, logprob_second: natural log probability of all of them together.
    """

    agreeing: int
    first: int
    second: int
    logprob_first: float
    logprob_second: float


def token_rows(first: Trace, second: Trace) -> tuple[TokenRow, ...]:
    """Every token that either wrote, in order; one that stands in another's place is in its line."""
    pairing, given = alignment(first, second).predicted, (given_steps(first), given_steps(second))
    return tuple(
        _row(first, second, *pair, same=pairing.is_same(pair))
        for pair in pairing.pairs
        if any(step is not None and step >= start for step, start in zip(pair, given, strict=True))
    )


def totals(first: Trace, second: Trace) -> Totals:
    """The two outputs as wholes; sums in float64."""
    pairing, given = alignment(first, second).predicted, (given_steps(first), given_steps(second))
    return Totals(
        agreeing=sum(
            pairing.is_same((i, j)) and i >= given[0] and j >= given[1]
            for i, j in pairing.pairs
            if i is not None and j is not None
        ),
        first=first.steps - given[0],
        second=second.steps - given[1],
        logprob_first=float(produced_logprobs(first).sum(dtype=np.float64)),
        logprob_second=float(produced_logprobs(second).sum(dtype=np.float64)),
    )


def _row(first: Trace, second: Trace, i: int | None, j: int | None, *, same: bool) -> TokenRow:
    return TokenRow(
        first=i,
        second=j,
        logprob_first=None if i is None else _known(first.step_logprob[i]),
        logprob_second=None if j is None else _known(second.step_logprob[j]),
        same=same,
    )


def _known(logprob: float) -> float | None:
    """None where a recording made elsewhere has no probabilities."""
    return None if math.isnan(logprob) else float(logprob)
