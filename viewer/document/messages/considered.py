"""Considered: a hypothesis of a beam search, which decoding tells beside its trace."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Considered:
    """A hypothesis that a step of a beam search considered; see `model.decoding.beam.Hypothesis`.

    Attributes:
        id, parent: unique in the search; 0 is the start token alone.
        step: number of the token among those produced, from 0; behind a prompt its rows are before it.
        piece: the raw piece of `token`, an id.
        score: sum of `logprob` over all its tokens; `rank_score` the same normalised for its length.
        fate: `kept`, `finished`, `cut` (by the length limit), `pruned` or `outranked` (it ended, but as many
            as are kept apart had ended better).
    """

    id: int
    parent: int | None
    step: int
    token: int
    piece: str
    logprob: float
    score: float
    rank_score: float
    fate: str
