"""What the picture of a rotation says: of a table's rows, and of queries and keys that are turned."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from viewer.state.positions_specs import SAME, RotationSpec, signed, significant, tiny
from viewer.state.positions_table import grouped
from viewer.state.rotary_specs import RotaryRotationSpec


def heading(spec: RotationSpec) -> str:
    """How fast the chosen pair turns."""
    if isinstance(spec, RotaryRotationSpec):
        text = QCoreApplication.translate("Figure", "Pair {pair}: ω = {omega} radians a position")
        return text.format(pair=spec.pair, omega=significant(float(spec.frequencies[spec.pair])))
    text = QCoreApplication.translate(
        "Figure", "Pair {pair}: ω = {base}^(−{twice}/{dimensions}) = {omega} radians a position"
    )
    return text.format(
        pair=spec.pair,
        base=grouped(spec.base).replace(",", ""),
        twice=2 * spec.pair,
        dimensions=2 * len(spec.frequencies),
        omega=significant(float(spec.frequencies[spec.pair])),
    )


def matrix_names(spec: RotationSpec) -> tuple[str, ...]:
    """What stands above the matrices."""
    if isinstance(spec, RotaryRotationSpec):
        return "R(k)", "R(p)ᵀ", "R(p + k)"
    return "PE(pos + k)", "R(k)", "PE(pos)"


def symbols(spec: RotationSpec) -> list[list[list[str]]]:
    """The matrices as they are written."""
    position, offset = spec.position, spec.offset
    if isinstance(spec, RotaryRotationSpec):
        key, query = f"ω·{position}", f"ω·{position + offset}"
        return [
            [[f"cos ω·{offset}", f"−sin ω·{offset}"], [f"sin ω·{offset}", f"cos ω·{offset}"]],
            [[f"cos {key}", f"sin {key}"], [f"−sin {key}", f"cos {key}"]],
            [[f"cos {query}", f"−sin {query}"], [f"sin {query}", f"cos {query}"]],
        ]
    return [
        [[f"sin ω·({position} + {offset})"], [f"cos ω·({position} + {offset})"]],
        [[f"cos ω·{offset}", f"sin ω·{offset}"], [f"−sin ω·{offset}", f"cos ω·{offset}"]],
        [[f"sin ω·{position}"], [f"cos ω·{position}"]],
    ]


def values(spec: RotationSpec) -> list[list[list[str]]]:
    """The matrices in numbers."""
    found, pair = spec.turned, spec.pair
    if isinstance(spec, RotaryRotationSpec):
        three = (found.matrices[pair], spec.first[pair].T, spec.second[pair])
        return [[[signed(float(value)) for value in row] for row in matrix] for matrix in three]
    return [
        [[signed(float(value))] for value in found.turned[pair]],
        [[signed(float(value)) for value in row] for row in found.matrices[pair]],
        [[signed(float(value))] for value in found.before[pair]],
    ]


def in_table(spec: RotationSpec) -> str:
    """What the result is compared with."""
    if isinstance(spec, RotaryRotationSpec):
        text = QCoreApplication.translate(
            "Figure",
            "score = (R(p) key) · (R(p + k) query) = key · R(k) query: the same for any p (key at {p}, "
            "query at {q}: k = {k}).",
        )
        return text.format(p=spec.position, q=spec.position + spec.offset, k=spec.offset)
    text = QCoreApplication.translate(
        "Figure", "The table has PE({position}) = ({sine}, {cosine}); difference {difference}."
    )
    sine, cosine = (signed(float(value)) for value in spec.turned.wanted[spec.pair])
    return text.format(
        position=spec.position + spec.offset,
        sine=sine,
        cosine=cosine,
        difference=tiny(float(spec.turned.differences[spec.pair])),
    )


def verdict(spec: RotationSpec) -> str:
    """Whether it holds for all pairs."""
    translate = QCoreApplication.translate
    if isinstance(spec, RotaryRotationSpec):
        text = translate(
            "Figure",
            "R(p)ᵀ · R(p + k) = R(k), checked for all {pairs} pairs: largest difference {difference} (pair "
            "{pair}).",
        )
    elif spec.holds:
        text = translate(
            "Figure",
            "Checked for all {pairs} pairs: largest difference {difference} (pair {pair}), no more than "
            "float32 rounds.",
        )
    else:
        text = translate(
            "Figure",
            "Over all {pairs} pairs the largest difference is {difference} (pair {pair}), more than {limit}: "
            "this table is not exactly that of its base.",
        )
    return text.format(
        pairs=len(spec.frequencies), difference=tiny(spec.largest), pair=spec.worst, limit=tiny(SAME)
    )


def meaning(spec: RotationSpec) -> str:
    """What follows."""
    if isinstance(spec, RotaryRotationSpec):
        return QCoreApplication.translate(
            "Figure",
            "R(k) holds k but not p: a score knows how far apart query and key stand, not where.",
        )
    return QCoreApplication.translate(
        "Figure",
        "R(k) holds k but not pos: “k words further on” is the same linear map from everywhere.",
    )


def circle_names(spec: RotationSpec) -> tuple[str, str, str]:
    """What the two arrows and the ring are."""
    translate = QCoreApplication.translate
    if isinstance(spec, RotaryRotationSpec):
        return (
            translate("Figure", "key at {position}").format(position=spec.position),
            translate("Figure", "query at {position}").format(position=spec.position + spec.offset),
            translate("Figure", "key turned by R({k})").format(k=spec.offset),
        )
    ring = translate("Figure", "R({k}) · PE({pos})").format(k=spec.offset, pos=spec.position)
    return f"PE({spec.position})", f"PE({spec.position + spec.offset})", ring


def axis_names(spec: RotationSpec) -> tuple[str, str]:
    """What is drawn upwards, and what to the right."""
    translate = QCoreApplication.translate
    if isinstance(spec, RotaryRotationSpec):
        return translate("Figure", "first dimension ↑"), translate("Figure", "second dimension →")
    return translate("Figure", "cos ↑"), translate("Figure", "sin →")
