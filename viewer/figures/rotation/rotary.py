"""RotaryRotationSpec: R(p)ᵀ R(p + k) of queries and keys that are turned (RoPE), and how it is built."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.positions.positions import Doubles, Turned
from viewer.document.positions.positions_known import Rotary
from viewer.figures.angles.of_rotary import rotary_figure
from viewer.figures.canvas.numerals import signed, significant, tiny
from viewer.figures.encoding.of_table import spread, within
from viewer.figures.figure import FigureSpec
from viewer.figures.rotation.build import SMALL_CIRCLES
from viewer.figures.rotation.spec import RotationSpec


@dataclass(frozen=True, eq=False)
class RotaryRotationSpec(RotationSpec):
    """R(p)ᵀ R(p + k) beside R(k); `turned.matrices` has the products.

    Attributes:
        first, second, wanted: R(p), R(p + k) and R(k) of every pair, float64 [pair, 2, 2].
    """

    first: Doubles = field(default_factory=lambda: np.zeros((0, 2, 2)))
    second: Doubles = field(default_factory=lambda: np.zeros((0, 2, 2)))
    wanted: Doubles = field(default_factory=lambda: np.zeros((0, 2, 2)))

    def sentence(self, pair: int) -> str:
        """What there is to say of a pair."""
        text = QCoreApplication.translate(
            "Figure",
            "Pair {pair}: the key is turned by {a} rad, the query by {b}; between them {c} rad, as for any "
            "two {offset} apart; difference {difference}",
        )
        speed = float(self.frequencies[pair])
        return text.format(
            pair=pair,
            a=significant(speed * self.position),
            b=significant(speed * (self.position + self.offset)),
            c=significant(speed * self.offset),
            offset=self.offset,
            difference=tiny(float(self.turned.differences[pair])),
        )

    def heading(self) -> str:
        """How fast the chosen pair turns."""
        text = QCoreApplication.translate("Figure", "Pair {pair}: ω = {omega} radians a position")
        return text.format(pair=self.pair, omega=significant(float(self.frequencies[self.pair])))

    def matrix_names(self) -> tuple[str, ...]:
        """What stands above the matrices."""
        return "R(k)", "R(p)ᵀ", "R(p + k)"

    def symbols(self) -> list[list[list[str]]]:
        """The matrices as they are written."""
        position, offset = self.position, self.offset
        key, query = f"ω·{position}", f"ω·{position + offset}"
        return [
            [[f"cos ω·{offset}", f"−sin ω·{offset}"], [f"sin ω·{offset}", f"cos ω·{offset}"]],
            [[f"cos {key}", f"sin {key}"], [f"−sin {key}", f"cos {key}"]],
            [[f"cos {query}", f"−sin {query}"], [f"sin {query}", f"cos {query}"]],
        ]

    def values(self) -> list[list[list[str]]]:
        """The matrices in numbers."""
        found, pair = self.turned, self.pair
        three = (found.matrices[pair], self.first[pair].T, self.second[pair])
        return [[[signed(float(value)) for value in row] for row in matrix] for matrix in three]

    def in_table(self) -> str:
        """What the result is compared with."""
        text = QCoreApplication.translate(
            "Figure",
            "score = (R(p) key) · (R(p + k) query) = key · R(k) query: the same for any p (key at {p}, "
            "query at {q}: k = {k}).",
        )
        return text.format(p=self.position, q=self.position + self.offset, k=self.offset)

    def verdict(self) -> str:
        """Whether it holds for all pairs."""
        translate = QCoreApplication.translate
        text = translate(
            "Figure",
            "R(p)ᵀ · R(p + k) = R(k), checked for all {pairs} pairs: largest difference {difference} (pair "
            "{pair}).",
        )
        return text.format(pairs=len(self.frequencies), difference=tiny(self.largest), pair=self.worst)

    def meaning(self) -> str:
        """What follows."""
        return QCoreApplication.translate(
            "Figure",
            "R(k) contains k but not p: a score depends on how far apart query and key are, not on "
            "where they are.",
        )

    def circle_names(self) -> tuple[str, str, str]:
        """What the two arrows and the ring are."""
        translate = QCoreApplication.translate
        return (
            translate("Figure", "key at {position}").format(position=self.position),
            translate("Figure", "query at {position}").format(position=self.position + self.offset),
            translate("Figure", "key rotated by R({k})").format(k=self.offset),
        )

    def axis_names(self) -> tuple[str, str]:
        """What is drawn upwards, and what to the right."""
        translate = QCoreApplication.translate
        return translate("Figure", "first dimension ↑"), translate("Figure", "second dimension →")


def rotary_rotation_figure(
    rotary: Rotary, *, position: int, offset: int, pair: int
) -> FigureSpec[RotationSpec]:
    """R(p)ᵀ R(p + k) = R(k): why only the distance counts, pair by pair."""
    position = within(position, rotary.count)
    offset = within(offset, rotary.count - position)
    pair = within(pair, rotary.pairs)
    title = QCoreApplication.translate(
        "Figure", "Only the distance counts: key at {position}, query at {other}, {offset} apart"
    )
    spec = RotaryRotationSpec(
        turned=_products(rotary, position, offset),
        frequencies=rotary.fact.inverse_frequencies,
        position=position,
        offset=offset,
        pair=pair,
        shown=spread(rotary.pairs, SMALL_CIRCLES),
        base=rotary.fact.base,
        layout=rotary.fact.layout,
        title=title.format(position=position, other=position + offset, offset=offset),
        badges=rotary.badges,
        first=_matrices(rotary, position),
        second=_matrices(rotary, position + offset),
        wanted=_matrices(rotary, offset),
    )
    formula = QCoreApplication.translate(
        "Figure", "(R(p) key) · (R(p + k) query) = key · R(p)ᵀ R(p + k) query = key · R(k) query"
    )
    checked = QCoreApplication.translate(
        "Figure", "Largest difference over all {pairs} pairs: {difference} (pair {pair})"
    ).format(pairs=rotary.pairs, difference=tiny(spec.largest), pair=spec.worst)
    facts = {
        "view": "positions_rotation",
        "position": position,
        "offset": offset,
        "pair": pair,
        "largest_difference": spec.largest,
        "largest_difference_pair": spec.worst,
    }
    return rotary_figure(spec, rotary, [formula, checked], facts)


def _matrices(rotary: Rotary, position: int) -> Doubles:
    """R = [[cos, -sin], [sin, cos]] of every pair at a position, float64 [pair, 2, 2]."""
    angle = position * rotary.fact.inverse_frequencies
    cos, sin = np.cos(angle), np.sin(angle)
    return np.stack([np.stack([cos, -sin], axis=-1), np.stack([sin, cos], axis=-1)], axis=-2)


def _products(rotary: Rotary, position: int, offset: int) -> Turned:
    """R(p)ᵀ R(p + k) beside R(k); arrows where (1, 0) goes, its second dimension before its first."""
    first, second = _matrices(rotary, position), _matrices(rotary, position + offset)
    product, wanted = first.transpose(0, 2, 1) @ second, _matrices(rotary, offset)
    return Turned(
        before=first[:, ::-1, 0],
        wanted=second[:, ::-1, 0],
        turned=(wanted @ first)[:, ::-1, 0],
        matrices=product,
        differences=np.abs(product - wanted).max(axis=(1, 2)),
    )
