"""Segments: the stretches of tokens along an axis that are of one sentence of a pair."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.canvas.axis_labels import Itself

SEGMENT_LINE = 2.0
SEGMENT_END = 2.5
SEGMENT_END_SHARE = 0.25  # of a bracket, before the edge of its last cell


def segment_spans(labels: Sequence[AxisLabel], first: int, last: int) -> list[tuple[int, int]]:
    """The stretches (first, last exclusive) of tokens in view of one sentence each; none without a pair."""
    return list(_spans(Itself(tuple(labels)), first, last))


@lru_cache(maxsize=16)
def _spans(known: Itself, first: int, last: int) -> list[tuple[int, int]]:
    labels, spans = known.of, list[tuple[int, int]]()
    for place in range(first, last):
        if labels[place].segment < 0:
            continue
        if spans and spans[-1][1] == place and labels[place - 1].segment == labels[place].segment:
            spans[-1] = (spans[-1][0], place + 1)
        else:
            spans.append((place, place + 1))
    return spans
