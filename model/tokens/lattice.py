"""Lattice: every way to cut a text into the pieces of a unigram vocabulary, and the most probable ones.

Kudo 2018 (arXiv 1804.10959), section 3.1: a cut's log probability is the sum of its pieces' scores; the best
one is found by Viterbi's algorithm. A character without a piece of its own is an unknown piece, whose score
is `UNKNOWN_PENALTY` below the lowest of all, as SentencePiece has it. Places are counted in characters of
the normalised text, in which U+2581 stands for a space.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.tokens.words import SPACE_MARK

UNKNOWN_PENALTY = 10.0

_Way = tuple[float, "Arc | None", int]
"""Log probability so far, the last piece, and which of the ways to its start it goes on with."""


@dataclass(frozen=True)
class Arc:
    """A piece over the characters from `start` to before `end`; `known`: it is in the vocabulary."""

    start: int
    end: int
    piece: str
    score: float
    known: bool = True


@dataclass(frozen=True)
class Cut:
    """A way through the lattice, with its log probability."""

    arcs: tuple[Arc, ...]
    score: float


def arcs_of(text: str, scores: Mapping[str, float]) -> list[Arc]:
    """Every piece that fits somewhere, by start and length; unknown ones where a character has no piece."""
    longest = max(map(len, scores), default=0)
    unknown = min(scores.values(), default=0.0) - UNKNOWN_PENALTY
    found = []
    for start, character in enumerate(text):
        if character not in scores:
            found.append(Arc(start, start + 1, character, unknown, known=False))
        for end in range(start + 1, min(len(text), start + longest) + 1):
            score = scores.get(text[start:end])
            if score is not None:
                found.append(Arc(start, end, text[start:end], score))
    return found


def inside(arcs: Sequence[Arc], start: int, end: int) -> list[Arc]:
    """The arcs of a stretch of the text."""
    return [arc for arc in arcs if start <= arc.start and arc.end <= end]


def best_cuts(arcs: Sequence[Arc], start: int, end: int, most: int) -> list[Cut]:
    """The most probable cuts of a stretch, best first: at every place the best so many ways to get there."""
    ways: dict[int, list[_Way]] = {start: [(0.0, None, 0)]}
    ending: dict[int, list[Arc]] = {}
    for arc in inside(arcs, start, end):
        ending.setdefault(arc.end, []).append(arc)
    for place in range(start + 1, end + 1):
        reached: list[_Way] = [
            (score + arc.score, arc, rank)
            for arc in ending.get(place, ())
            for rank, (score, _, _) in enumerate(ways.get(arc.start, ()))
        ]
        ways[place] = sorted(reached, key=lambda way: -way[0])[:most]
    return [_followed(ways, end, rank) for rank in range(len(ways[end]))]


def _followed(ways: Mapping[int, list[_Way]], end: int, rank: int) -> Cut:
    total, arc, before = ways[end][rank]
    taken: list[Arc] = []
    while arc is not None:
        taken.append(arc)
        _, arc, before = ways[arc.start][before]
    return Cut(tuple(reversed(taken)), total)


def log_total(arcs: Sequence[Arc], start: int, end: int) -> float:
    """Log of the summed probability of all cuts of a stretch (forward algorithm)."""
    totals = {start: 0.0}
    for arc in sorted(inside(arcs, start, end), key=lambda arc: arc.start):
        if arc.start in totals:
            reached = totals[arc.start] + arc.score
            before = totals.get(arc.end, -math.inf)
            high = max(before, reached)
            totals[arc.end] = high + math.log(math.exp(before - high) + math.exp(reached - high))
    return totals[end]


def stretches(text: str, joined: bool) -> list[tuple[int, int]]:
    """The words of a normalised text as (start, end), each with the space before it.

    Args:
        joined: a piece may span two words: the text is one stretch.
    """
    if joined or not text:
        return [(0, len(text))] if text else []
    starts = [0, *(at for at in range(1, len(text)) if text[at] == SPACE_MARK and text[at - 1] != SPACE_MARK)]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))
