"""Candidates for the next token: natural logs of the unfiltered softmax, ties in order of id."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from model.errors import HeadscopeError
from model.trace.trace import Floats, Ids

# How finely a vocabulary is cut to look for its most probable tokens, and how many blocks for each of them
# make that quicker than to go through it all.
_BLOCK = 128
_BLOCKS_A_PLACE = 16


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
    # One more than asked for shows whether the last place is contested.
    highest, places = _highest(logits, k + 1)
    values: Floats = highest.float().numpy(force=True)
    ids: Ids = places.numpy(force=True)
    tied = np.flatnonzero((values[:, 1:] == values[:, :-1]).any(-1))
    if len(tied):
        # topk leaves the order of equal numbers open, and a decoding must come out the same every time.
        ids = ids.copy()
        ordered = logits[tied.tolist()].sort(dim=-1, descending=True, stable=True).indices
        ids[tied] = ordered[:, : k + 1].numpy(force=True)
    return ids[:, :k]


def _highest(logits: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The `count` highest of each row of logits [b, vocab], highest first, and where they stand; see `topk`.

    In a large vocabulary they are looked for where they can be: in the blocks with the highest maxima.
    """
    vocab = logits.shape[-1]
    blocks = vocab // _BLOCK
    if blocks < _BLOCKS_A_PLACE * count:
        top = logits.topk(count)
        return top.values, top.indices
    inside = blocks * _BLOCK
    maxima = torch.unflatten(logits[:, :inside], -1, (blocks, _BLOCK)).amax(-1)
    firsts = maxima.topk(count, sorted=False).indices[..., None] * _BLOCK
    offsets, rest = _places(inside, vocab, logits.device)
    ids = torch.cat([(firsts + offsets).flatten(1), rest.expand(len(logits), -1)], -1)
    top = logits.gather(-1, ids).topk(count)
    return top.values, ids.gather(-1, top.indices)


@lru_cache(maxsize=8)
def _places(inside: int, vocab: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Where the tokens of a block stand in it, and where those behind the last block do."""
    with torch.inference_mode(False):
        return torch.arange(_BLOCK, device=device), torch.arange(inside, vocab, device=device)


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
