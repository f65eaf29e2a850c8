"""Sampling preview: what temperature, top-k and top-p make of a step's probabilities.

A trace holds the K most probable words of a step, not the vocabulary. With `top_k` up to K, or at
temperature 1, what the filters make of them follows exactly; else it lies between two bounds, which follow
from what the other words can weigh at least and at most.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from viewer.document.session import Session
from viewer.document.text.token_text import text_after


@dataclass(frozen=True)
class StepShares:
    """The most probable words of one step.

    Attributes:
        step: from 0.
        words: as shown.
        logprobs: natural logs of the unfiltered softmax at temperature 1, descending.
        vocabulary: how many words there are; 0 if that is not known.
    """

    step: int
    words: tuple[str, ...]
    logprobs: tuple[float, ...]
    vocabulary: int


@dataclass(frozen=True)
class Bounds:
    """A share that is drawn with, at least and at most; both 0 for a word that is left out."""

    low: float
    high: float


def step_shares(session: Session) -> StepShares | None:
    """The words of the active pane's step, None while there is none."""
    trace, selection = session.trace(), session.selection()
    if trace is None or selection is None or not 0 <= selection.step < trace.steps:
        return None
    step = selection.step
    raw, style = session.view.raw_pieces, trace.token_style
    before = trace.tgt_out_tokens[:step]
    words = tuple(
        text_after(before, piece, raw=raw, style=style).marked for piece in trace.candidate_tokens[step]
    )
    if not words:
        return None
    logprobs = tuple(float(logprob) for logprob in trace.candidate_logprobs[step])
    return StepShares(step, words, logprobs, vocabulary(session))


def vocabulary(session: Session) -> int:
    """How many tokens the model of the active pane's trace chooses from; 0 if it is not the one in use."""
    trace, model = session.trace(), session.model
    if trace is None or model is None or not trace.may_be_of(model.name, model.sha256):
        return 0
    size = model.architecture.get("target_vocab", 0)
    return size if isinstance(size, int) else 0


def filtered_shares(
    logprobs: Sequence[float], vocabulary: int, *, temperature: float, top_k: int, top_p: float
) -> list[Bounds]:
    """What each word is drawn with: first the temperature, then top-k, then top-p (as `decoding.sampling`).

    Args:
        logprobs, vocabulary: as in `StepShares`.
        top_k: 0 for all words.
    """
    every = np.asarray(logprobs, np.float64)
    weights = np.exp((every - every[0]) / temperature)
    if 0 < top_k <= len(weights):
        inside, rest = weights[:top_k], Bounds(0.0, 0.0)
    else:
        inside, rest = weights, _others(every, vocabulary, temperature, top_k)
    before = np.cumsum(inside) - inside
    total = float(inside.sum())
    # A word stays while those before it hold less than top_p together; the most probable one always does.
    surely = int((before < top_p * (total + rest.low)).sum()) if top_p < 1 else len(inside)
    perhaps = int((before < top_p * (total + rest.high)).sum()) if top_p < 1 else len(inside)
    if top_p >= 1:
        least, most = total + rest.low, total + rest.high
    else:
        least = float(inside[:surely].sum())
        beyond = perhaps == len(inside) and total < top_p * (total + rest.high)
        most = total + rest.high if beyond else float(inside[:perhaps].sum())
    kept = [
        Bounds(
            float(weight / most) if place < surely else 0.0,
            float(weight / max(least, before[place] + weight)),
        )
        for place, weight in enumerate(inside[:perhaps])
    ]
    return kept + [Bounds(0.0, 0.0)] * (len(weights) - len(kept))


def _others(logprobs: npt.NDArray[np.float64], vocabulary: int, temperature: float, top_k: int) -> Bounds:
    """What the words that are not listed weigh together, in units of the most probable word's weight.

    n words of total probability r, each at most the last listed one's, q: the sum of their p**(1/T) is
    between r * q**(1/T - 1) and n * (r / n)**(1/T), whichever is the smaller.
    """
    rest = max(0.0, 1.0 - float(np.exp(logprobs).sum()))
    count = (vocabulary if vocabulary else 10**9) - len(logprobs)
    if rest <= 0 or count <= 0:
        return Bounds(0.0, 0.0)
    power = 1.0 / temperature
    last = float(logprobs[-1])
    unit = power * float(logprobs[0])
    # In logs: at a low temperature the powers themselves underflow.
    steep = math.exp(math.log(rest) + (power - 1.0) * last - unit)
    flat = math.exp(math.log(count) + power * math.log(rest / count) - unit)
    low, high = sorted((steep, flat))
    if top_k:  # of the words not listed only the first of them count
        first = (top_k - len(logprobs)) * math.exp(power * last - unit)
        return Bounds(0.0, min(high, first))
    return Bounds(low, high)
