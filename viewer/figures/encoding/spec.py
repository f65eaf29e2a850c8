"""PositionsSpec: a positional encoding as heatmap, curves and likeness."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.figures.canvas.matrix import Matrix


@dataclass(frozen=True, eq=False)
class PositionsSpec:
    """The positional encoding.

    Attributes:
        encoding: float32 [position, dimension].
        similarity: cosine similarity, float32 [position, position].
        curves: dimensions to draw as curves.
        levels: the encoding's value range, symmetrical about 0.
    """

    encoding: Matrix
    similarity: Matrix
    curves: tuple[int, ...]
    title: str
    badges: tuple[str, ...] = ()
    levels: tuple[float, float] = (-1.0, 1.0)
