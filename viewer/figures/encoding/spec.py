"""PositionsSpec: a positional encoding as heatmap, curves and likeness."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

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

    def sentence(self, position: int, dimension: int) -> str:
        """What there is to say of a number of the encoding."""
        text = QCoreApplication.translate(
            "PositionsView", "position {position}, dimension {dimension}: {value}"
        )
        value = f"{float(self.encoding[position, dimension]):+.4f}"
        return text.format(position=position, dimension=dimension, value=value)

    def pair_sentence(self, first: int, second: int) -> str:
        """What there is to say of two positions."""
        text = QCoreApplication.translate(
            "PositionsView", "similarity of positions {first} and {second}: {value}"
        )
        value = f"{float(self.similarity[first, second]):.4f}"
        return text.format(first=first, second=second, value=value)
