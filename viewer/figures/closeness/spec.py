"""ClosenessSpec: how alike a word's vectors in two sentences are, layer by layer."""

from __future__ import annotations

from dataclasses import dataclass

Pair = tuple[int, int]


@dataclass(frozen=True)
class ClosenessLine:
    """One pair of positions: cosine at each stage; `chosen`: the one that the picture is about."""

    name: str
    pair: Pair
    values: tuple[float, ...]
    chosen: bool = False


@dataclass(frozen=True, eq=False)
class ClosenessSpec:
    """Cosines over the stages of the encoder.

    Attributes:
        sentences: both texts, each with its translation.
        stages: what is written below the axis.
        lines: the chosen pair first, then other words that stand in both sentences.
        verdict: one sentence about the chosen pair.
        note: formula and source.
    """

    title: str
    badges: tuple[str, ...]
    sentences: tuple[str, str]
    stages: tuple[str, ...]
    lines: tuple[ClosenessLine, ...]
    verdict: str
    note: str
