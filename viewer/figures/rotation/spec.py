"""RotationSpec: R(k) · PE(pos) beside PE(pos + k)."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from model.config import PositionLayout
from model.positions.positions import Doubles, Turned
from viewer.document.positions.positions_table import grouped
from viewer.figures.canvas.numerals import signed, significant, tiny

SAME = 1e-6
"""Largest difference that the rounding of a float32 table explains."""


@dataclass(frozen=True, eq=False)
class RotationSpec:
    """R(k) · PE(pos) beside PE(pos + k).

    Attributes:
        turned: the numbers of every pair.
        frequencies: radians a position, float64 [pair].
        position, offset, pair: pos, k, and the pair that is drawn large.
        shown: pairs that are drawn small.
    """

    turned: Turned
    frequencies: Doubles
    position: int
    offset: int
    pair: int
    shown: tuple[int, ...]
    base: float
    layout: PositionLayout
    title: str
    badges: tuple[str, ...] = ()

    @property
    def largest(self) -> float:
        """Largest difference between R(k) · PE(pos) and PE(pos + k), over all pairs."""
        return float(self.turned.differences.max())

    @property
    def worst(self) -> int:
        """The pair that has it."""
        return int(self.turned.differences.argmax())

    @property
    def holds(self) -> bool:
        """Whether rounding explains it."""
        return self.largest <= SAME

    def sentence(self, pair: int) -> str:
        """What there is to say of a pair."""
        text = QCoreApplication.translate(
            "Figure",
            "Pair {pair}: turned by {angle} rad from ({a}, {b}) to ({c}, {d}); the table has ({e}, {f}); "
            "difference {difference}",
        )
        found = self.turned
        values = [*found.before[pair], *found.turned[pair], *found.wanted[pair]]
        return text.format(
            pair=pair,
            angle=significant(float(self.frequencies[pair]) * self.offset),
            **dict(zip("abcdef", (signed(float(value)) for value in values), strict=True)),
            difference=tiny(float(found.differences[pair])),
        )

    def heading(self) -> str:
        """How fast the chosen pair turns."""
        text = QCoreApplication.translate(
            "Figure", "Pair {pair}: ω = {base}^(−{twice}/{dimensions}) = {omega} radians a position"
        )
        return text.format(
            pair=self.pair,
            base=grouped(self.base).replace(",", ""),
            twice=2 * self.pair,
            dimensions=2 * len(self.frequencies),
            omega=significant(float(self.frequencies[self.pair])),
        )

    def matrix_names(self) -> tuple[str, ...]:
        """What stands above the matrices."""
        return "PE(pos + k)", "R(k)", "PE(pos)"

    def symbols(self) -> list[list[list[str]]]:
        """The matrices as they are written."""
        position, offset = self.position, self.offset
        return [
            [[f"sin ω·({position} + {offset})"], [f"cos ω·({position} + {offset})"]],
            [[f"cos ω·{offset}", f"sin ω·{offset}"], [f"−sin ω·{offset}", f"cos ω·{offset}"]],
            [[f"sin ω·{position}"], [f"cos ω·{position}"]],
        ]

    def values(self) -> list[list[list[str]]]:
        """The matrices in numbers."""
        found, pair = self.turned, self.pair
        return [
            [[signed(float(value))] for value in found.turned[pair]],
            [[signed(float(value)) for value in row] for row in found.matrices[pair]],
            [[signed(float(value))] for value in found.before[pair]],
        ]

    def in_table(self) -> str:
        """What the result is compared with."""
        text = QCoreApplication.translate(
            "Figure", "The table has PE({position}) = ({sine}, {cosine}); difference {difference}."
        )
        sine, cosine = (signed(float(value)) for value in self.turned.wanted[self.pair])
        return text.format(
            position=self.position + self.offset,
            sine=sine,
            cosine=cosine,
            difference=tiny(float(self.turned.differences[self.pair])),
        )

    def verdict(self) -> str:
        """Whether it holds for all pairs."""
        translate = QCoreApplication.translate
        if self.holds:
            text = translate(
                "Figure",
                "Checked for all {pairs} pairs: largest difference {difference} (pair {pair}), within "
                "float32 rounding.",
            )
        else:
            text = translate(
                "Figure",
                "Over all {pairs} pairs the largest difference is {difference} (pair {pair}), more "
                "than {limit}: this table does not exactly match its base.",
            )
        return text.format(
            pairs=len(self.frequencies), difference=tiny(self.largest), pair=self.worst, limit=tiny(SAME)
        )

    def meaning(self) -> str:
        """What follows."""
        return QCoreApplication.translate(
            "Figure",
            "R(k) contains k but not pos: “k words further on” is the same linear map from any position.",
        )

    def circle_names(self) -> tuple[str, str, str]:
        """What the two arrows and the ring are."""
        translate = QCoreApplication.translate
        ring = translate("Figure", "R({k}) · PE({pos})").format(k=self.offset, pos=self.position)
        return f"PE({self.position})", f"PE({self.position + self.offset})", ring

    def axis_names(self) -> tuple[str, str]:
        """What is drawn upwards, and what to the right."""
        translate = QCoreApplication.translate
        return translate("Figure", "cos ↑"), translate("Figure", "sin →")
