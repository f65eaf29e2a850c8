"""Candidates for the next token: natural logs of the unfiltered softmax, ties in order of id."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from torch import Tensor

from model.errors import HeadscopeError
from model.network.compiled.highest import highest
from model.trace.trace import Floats, Ids


class Candidates(NamedTuple):
    """The top of each row of logits.

    Attributes:
        ids: int64 [b, k], most probable first; equal ones by ascending id.
        logprobs: float32 [b, k], their natural log probabilities at temperature 1.
        all_logprobs: float32 [b, vocab], those of every token.
    """

    ids: Ids
    logprobs: Floats
    all_logprobs: Floats

    def row(self, row: int) -> Candidates:
        """Those of one row, b = 1."""
        one = slice(row, row + 1)
        return Candidates(self.ids[one], self.logprobs[one], self.all_logprobs[one])


def top_candidates(logits: Tensor, k: int) -> Candidates:
    """The k (at most the whole vocabulary) most probable tokens of each row of logits [b, vocab].

    Raises:
        HeadscopeError: `model_overflow`: a logit is NaN or infinite, so there are no probabilities.
    """
    return with_logprobs(logits, ranked(logits, min(k, logits.shape[-1])))


def with_logprobs(logits: Tensor, ids: Ids) -> Candidates:
    """What `ranked` found of logits [b, vocab], with probabilities; raises as `top_candidates`."""
    # One kernel on one thread: a reduction spread over threads waits for the slowest of them.
    every: Floats = logits.float().log_softmax(-1).numpy(force=True)
    if np.isnan(every[:, 0]).any():  # one NaN or infinite logit makes its whole row NaN
        raise HeadscopeError("model_overflow")
    return Candidates(ids, every[np.arange(len(ids))[:, None], ids], every)


def ranked(logits: Tensor, k: int) -> Ids:
    """Ids int64 [b, k] of the k highest logits [b, vocab], equal ones by ascending id."""
    if k == logits.shape[-1]:
        everything: Ids = logits.sort(dim=-1, descending=True, stable=True).indices.numpy(force=True)
        return everything
    quickly = highest(logits, k)
    if quickly is not None:
        return quickly
    # One more than asked for shows whether the last place is contested.
    top = logits.topk(k + 1)
    values: Floats = top.values.float().numpy(force=True)
    ids: Ids = top.indices.numpy(force=True)
    tied = np.flatnonzero((values[:, 1:] == values[:, :-1]).any(-1))
    if len(tied):
        # topk leaves the order of equal numbers open, and a decoding must come out the same every time.
        ids = ids.copy()
        ordered = logits[tied.tolist()].sort(dim=-1, descending=True, stable=True).indices
        ids[tied] = ordered[:, : k + 1].numpy(force=True)
    return ids[:, :k]


def rank_of(token: int, logits: Tensor, best: Ids) -> int:
    """Place of a token among all in the order of `ranked`, the most probable 1.

    Args:
        logits: [vocab].
        best: int64 [k], the ids of the k highest logits in order.
    """
    places = np.flatnonzero(best == token)
    if len(places):
        return int(places[0]) + 1
    row: Floats = logits.float().numpy(force=True)
    higher = np.count_nonzero(row > row[token]) + np.count_nonzero(row[:token] == row[token])
    return 1 + int(higher)
