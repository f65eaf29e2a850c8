"""AnglesSpec: the angles by which queries and keys are turned (RoPE, Su et al. 2021, arXiv 2104.09864)."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from model.positions.positions import Doubles
from viewer.figures.canvas.matrix import Matrix
from viewer.figures.canvas.numerals import signed, significant


@dataclass(frozen=True, eq=False)
class AnglesSpec:
    """The tables of cosines and sines by which queries and keys are turned.

    Attributes:
        cosines, sines: float32 [position, pair].
        frequencies: radians a position, float64 [pair].
        mean: mean of the cosines over the pairs, float64 [position].
        curves: pairs that are drawn as curves.
    """

    cosines: Matrix
    sines: Matrix
    frequencies: Doubles
    mean: Doubles
    curves: tuple[int, ...]
    title: str
    badges: tuple[str, ...] = ()

    def sentence(self, position: int, pair: int) -> str:
        """What there is to say of a pair at a position."""
        text = QCoreApplication.translate(
            "Figure", "Position {position}, pair {pair}: rotated by {angle} rad; cos {cosine}, sin {sine}"
        )
        return text.format(
            position=position,
            pair=pair,
            angle=significant(position * float(self.frequencies[pair])),
            cosine=signed(float(self.cosines[position, pair])),
            sine=signed(float(self.sines[position, pair])),
        )

    def distance_sentence(self, distance: int) -> str:
        """What there is to say of a distance."""
        text = QCoreApplication.translate(
            "Figure", "Query and key {distance} apart: mean over all pairs {mean}"
        )
        return text.format(distance=distance, mean=signed(float(self.mean[distance])))


def nothing_added() -> str:
    """What the angles are for."""
    return QCoreApplication.translate(
        "Figure", "cos p ω and sin p ω rotate queries and keys; nothing is added to the embeddings"
    )
