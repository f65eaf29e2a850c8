"""What decoding tells beside its trace: hypotheses of a search, worth of heads, orders of words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.trace import AttentionKind, Floats, Trace


@dataclass(frozen=True)
class Considered:
    """A hypothesis that a step of a beam search considered; see `model.beam.Hypothesis`.

    Attributes:
        id, parent: unique in the search; 0 is the start token alone.
        step: the row that predicted the token.
        piece: the raw piece of `token`, an id.
        score: sum of `logprob` over all its tokens; `rank_score` the same normalised for its length.
        fate: `kept`, `finished`, `cut` (by the length limit) or `pruned`.
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


@dataclass(frozen=True, eq=False)
class Importance:
    """What each head is worth to one translation: its log probability with the head switched off.

    Attributes:
        logprob: natural log probability of the whole translation, nothing switched off.
        change: by family, float32 [layer, head]: how much switching the head off adds to `logprob`; below 0
            the translation becomes less probable.
    """

    logprob: float
    change: Mapping[AttentionKind, Floats]


@dataclass(frozen=True, eq=False)
class OrderReading:
    """One of the four readings of an order experiment; which, its trace's alterations say too.

    Attributes:
        reordered: the pieces stand in the other order.
        positions: the tokens have positions.
    """

    reordered: bool
    positions: bool
    trace: Trace


@dataclass(frozen=True, eq=False)
class OrderExperiment:
    """The same pieces in two orders, with and without positions (paper, section 3.5).

    Attributes:
        pieces, ids: of the sentence, without the end token.
        order: as in `model.alterations.Reorder`.
        readings: own order and other order with positions, then without.
        distance: with positions (True) and without (False): float32 [piece], for each piece of the sentence's
            own order the Euclidean distance between its encoder outputs in the two orders.
        largest: the same as the largest absolute difference of a single number.
        norm: float32 [piece], Euclidean length of its encoder output in its own order, by the same keys.
    """

    text: str
    pieces: tuple[str, ...]
    ids: tuple[int, ...]
    order: tuple[int, ...]
    readings: tuple[OrderReading, ...]
    distance: Mapping[bool, Floats]
    largest: Mapping[bool, Floats]
    norm: Mapping[bool, Floats]
