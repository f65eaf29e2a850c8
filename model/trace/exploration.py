"""Exploration: what experiments found, worth of heads and orders of words. Frozen, no torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.trace.trace import AttentionKind, Floats, Trace


@dataclass(frozen=True, eq=False)
class Importance:
    """What each head is worth to one translation: its log probability with the head switched off.

    Attributes:
        logprob: natural log probability of the whole translation, nothing switched off.
        change: by kind, float32 [layer, head]: how much switching the head off adds to `logprob`; below 0
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
        order: as in `model.alterations.reorder.Reorder`.
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


def other_order(pieces: Sequence[str]) -> tuple[int, ...]:
    """The order that an experiment begins with: the reverse, a closing full stop staying where it is.

    What reads the same backwards begins with its second piece instead; equal pieces have no other order.

    Returns:
        as in `model.alterations.reorder.Reorder`.
    """
    count = len(pieces)
    moved = count - 1 if count > 2 and not any(map(str.isalnum, pieces[-1])) else count
    for end in (moved, count):
        rest = tuple(range(end, count))
        for order in ((*reversed(range(end)), *rest), (*range(1, end), *range(min(1, end)), *rest)):
            if [pieces[place] for place in order] != list(pieces):
                return order
    return tuple(range(count))
