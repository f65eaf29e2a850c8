"""The most probable next tokens: natural logs of the unfiltered softmax, ties in order of id."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from torch import Tensor

from model.trace import Floats, Ids


class Candidates(NamedTuple):
    """The top of each row of logits.

    Attributes:
        ids: int64 [b, k], most probable first; equal ones by ascending id.
        logprobs: float32 [b, k], natural log of the softmax at temperature 1.
        log_total: float32 [b], log sum exp of the whole row: logit - log_total is a token's log probability.
    """

    ids: Ids
    logprobs: Floats
    log_total: Floats


def top_candidates(logits: Tensor, k: int) -> Candidates:
    """The k (at most the whole vocabulary) most probable tokens of each row of logits [b, vocab]."""
    vocab = logits.shape[-1]
    k = min(k, vocab)
    log_total: Floats = logits.logsumexp(-1).numpy(force=True)
    if k == vocab:
        in_order, order = logits.sort(dim=-1, descending=True, stable=True)
        return Candidates(order.numpy(force=True), in_order.numpy(force=True) - log_total[:, None], log_total)
    # One more than asked for shows whether the last place is contested.
    top_values, top_ids = logits.topk(k + 1)
    values, ids = top_values.numpy(force=True), top_ids.numpy(force=True)
    tied = np.flatnonzero((values[:, 1:] == values[:, :-1]).any(-1))
    if len(tied):
        # topk leaves the order of equal numbers open, and a decoding must come out the same every time.
        ordered = logits[tied.tolist()].sort(dim=-1, descending=True, stable=True).indices
        ids = ids.copy()
        ids[tied] = ordered[:, : ids.shape[1]].numpy(force=True)
    return Candidates(ids[:, :k], values[:, :k] - log_total[:, None], log_total)
