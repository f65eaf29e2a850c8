"""DistanceSpec: how alike positions are by how far apart they stand."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from model.positions.positions import ByOffset, Doubles, Nearest
from viewer.figures.canvas.numerals import plain_number, signed, tiny


@dataclass(frozen=True, eq=False)
class DistanceSpec:
    """How alike positions are by how far apart they stand, and how near the nearest two come.

    Attributes:
        by_offset: PE(pos) · PE(pos + k) over the positions shown.
        exact: Σ cos(ω_i k), float64 [offset]; None for a learned table.
        nearest: smallest distances.
        norms: length of every row, float64 [position].
        offset: the chosen k.
    """

    by_offset: ByOffset
    exact: Doubles | None
    nearest: Nearest
    norms: Doubles
    offset: int
    title: str
    badges: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many positions there are."""
        return len(self.norms)

    def offset_sentence(self, offset: int) -> str:
        """What there is to say of two positions so far apart."""
        text = QCoreApplication.translate(
            "Figure",
            "Positions {offset} apart: dot product {mean} on average (from {low} to {high}, standard "
            "deviation {deviation}); cosine {cosine}",
        )
        found = self.by_offset
        said = text.format(
            offset=offset,
            mean=plain_number(found.mean[offset]),
            low=plain_number(found.low[offset]),
            high=plain_number(found.high[offset]),
            deviation=tiny(float(found.deviation[offset])),
            cosine=signed(float(found.cosine[offset])),
        )
        if self.exact is None:
            return said
        exact = QCoreApplication.translate("Figure", "{said}; Σ cos(ω k) = {exact}")
        return exact.format(said=said, exact=plain_number(self.exact[offset]))

    def position_sentence(self, position: int) -> str:
        """What there is to say of a position."""
        text = QCoreApplication.translate(
            "Figure", "Position {position}: {distance} from the position nearest to it; norm {norm}"
        )
        return text.format(
            position=position,
            distance=plain_number(self.nearest.by_position[position]),
            norm=plain_number(self.norms[position]),
        )
