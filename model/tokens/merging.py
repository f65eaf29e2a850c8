"""Merging: how a BPE vocabulary puts a text together, merge after merge.

Sennrich et al. 2016 (arXiv 1508.07909), section 3.2, as SentencePiece carries it out: from characters, the
neighbours whose joined piece was learned first are merged, the leftmost of equals, until nothing merges.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Merge:
    """Two neighbours, which meet at `middle`, become one piece.

    Attributes:
        score: the piece's, higher the earlier it was learned.
    """

    start: int
    middle: int
    end: int
    score: float


def merges_of(text: str, scores: Mapping[str, float]) -> list[Merge]:
    """The merges of a normalised text, in the order in which they are made."""
    end_of = {start: start + 1 for start in range(len(text))}
    start_of = {start + 1: start for start in range(len(text))}
    waiting: list[tuple[float, int, int, int]] = []

    def note(start: int, middle: int) -> None:
        end = end_of.get(middle)
        if end is not None and (score := scores.get(text[start:end])) is not None:
            heapq.heappush(waiting, (-score, start, middle, end))

    for start in range(len(text) - 1):
        note(start, start + 1)
    made = []
    while waiting:
        minus, start, middle, end = heapq.heappop(waiting)
        if end_of.get(start) != middle or end_of.get(middle) != end:
            continue  # one of both has gone into another piece
        end_of[start], start_of[end] = end, start
        del end_of[middle], start_of[middle]
        made.append(Merge(start, middle, end, -minus))
        if start in start_of:
            note(start_of[start], start)
        note(start, end)
    return made


def spans_after(start: int, end: int, merges: list[Merge]) -> list[tuple[int, int]]:
    """The pieces of a stretch as (start, end) when only these of its merges are made."""
    inner = {merge.middle for merge in merges if start <= merge.start and merge.end <= end}
    ends = [place for place in range(start + 1, end + 1) if place not in inner]
    return list(zip([start, *ends], ends, strict=False))
