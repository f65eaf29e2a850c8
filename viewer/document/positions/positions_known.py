"""Positions known of the model in use, ready to be looked at: tables, rotations, biases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication

from model.config import PositionLayout
from model.positions.position_facts import (
    NoPositions,
    PositionFacts,
    RelativeBias,
    RotaryPositions,
    Stack,
    TablePositions,
    stored_table,
)
from model.positions.positions import Doubles
from viewer.document.messages.messages import ModelInfo
from viewer.document.positions.positions_table import PAPER_BASE, PositionTable, grouped, stack_badge

_COUNTED = 2048
"""Positions that are offered where nobody says how far a model was made to count."""


class KnownPositions(Protocol):
    """One of the sorts of positions that can be looked at."""

    @property
    def stack(self) -> Stack:
        """Whose they are."""

    @property
    def badges(self) -> tuple[str, ...]:
        """What every picture of them must say."""

    def sort_name(self) -> str:
        """What tells them from other positions of the same model."""

    def facts(self) -> dict[str, Any]:
        """For a figure's data."""


@dataclass(frozen=True, eq=False)
class Rotary:
    """Rotations of queries and keys, and whose they are."""

    fact: RotaryPositions
    model_name: str = ""
    model_sha256: str = ""

    @property
    def stack(self) -> Stack:
        """Whose they are."""
        return self.fact.stack

    def sort_name(self) -> str:
        """What tells them from other positions of the same model."""
        text = QCoreApplication.translate("PositionsKnown", "Rotary, base {base}")
        return text.format(base=grouped(self.fact.base))

    @property
    def pairs(self) -> int:
        """How many pairs of dimensions turn."""
        return len(self.fact.inverse_frequencies)

    @property
    def count(self) -> int:
        """How many positions there are to look at."""
        return self.fact.max_positions or _COUNTED

    @property
    def wavelengths(self) -> Doubles:
        """Positions that every pair takes to turn once, float64 [pair]; infinite where it never turns."""
        turning = self.fact.inverse_frequencies
        found: Doubles = np.full(self.pairs, np.inf)
        np.divide(2 * np.pi, turning, out=found, where=turning > 0)
        return found

    @property
    def badges(self) -> tuple[str, ...]:
        """What every picture of it must say."""
        translate, fact = QCoreApplication.translate, self.fact
        found = [translate("Figure", "rotary, base {base}").format(base=grouped(fact.base))]
        if fact.scaling:
            found.append(translate("Figure", "frequencies scaled: {rule}").format(rule=fact.scaling))
        turned = translate("Figure", "{turned} of a head's {all} dimensions rotated")
        found.append(turned.format(turned=2 * self.pairs, all=fact.head_width))
        return tuple(found)

    def facts(self) -> dict[str, Any]:
        """For a figure's data."""
        fact = self.fact
        return {
            "kind": "rotary",
            "base": fact.base,
            "scaling": fact.scaling,
            "layout": fact.layout,
            "pairs": self.pairs,
            "head_width": fact.head_width,
            "max_positions": fact.max_positions,
            "stack": fact.stack,
            "model_name": self.model_name,
            "model_sha256": self.model_sha256,
        }


@dataclass(frozen=True, eq=False)
class Bias:
    """Numbers added to the scores by distance, and whose they are."""

    fact: RelativeBias
    model_name: str = ""
    model_sha256: str = ""

    @property
    def stack(self) -> Stack:
        """Whose it is."""
        return self.fact.stack

    def sort_name(self) -> str:
        """What tells it from other positions of the same model."""
        return QCoreApplication.translate("PositionsKnown", "Bias")

    @property
    def heads(self) -> int:
        """How many heads there are."""
        return int(self.fact.weights.shape[1])

    @property
    def values(self) -> npt.NDArray[np.float32]:
        """What each head adds at each of the offsets, float32 [head, offset]."""
        found: npt.NDArray[np.float32] = self.fact.weights[self.fact.buckets].T
        return found

    @property
    def last_from(self) -> int:
        """From which distance to an earlier key on all share the last bucket."""
        last = self.fact.buckets == self.fact.buckets[0]
        return int(np.abs(self.fact.offsets[last]).min())

    @property
    def badges(self) -> tuple[str, ...]:
        """What every picture of it must say."""
        translate, fact = QCoreApplication.translate, self.fact
        looks = translate("Figure", "only looks back")
        if fact.bidirectional:
            looks = translate("Figure", "looks both ways")
        text = translate("Figure", "{buckets} buckets, the last from distance {distance} on")
        return (
            *stack_badge(fact.stack),
            looks,
            text.format(buckets=len(fact.weights), distance=self.last_from),
        )

    def facts(self) -> dict[str, Any]:
        """For a figure's data."""
        fact = self.fact
        return {
            "kind": "relative_bias",
            "buckets": len(fact.weights),
            "heads": self.heads,
            "max_distance": fact.max_distance,
            "bidirectional": fact.bidirectional,
            "stack": fact.stack,
            "model_name": self.model_name,
            "model_sha256": self.model_sha256,
        }


KNOWN: dict[type[PositionFacts], Callable[[Any, str, str], KnownPositions]] = {
    TablePositions: PositionTable.of,
    RotaryPositions: Rotary,
    RelativeBias: Bias,
}
"""What is made of each fact, with the name and the hash of its model; of others there is nothing to see."""


def facts_of(info: ModelInfo) -> tuple[PositionFacts, ...]:
    """What a model knows of positions; of one that only tells its table, that."""
    if info.position_facts:
        return info.position_facts
    kind = info.architecture.get("positions", "sinusoidal")
    if info.positions is None:
        return (NoPositions(known=kind == "none"),)
    if kind != "sinusoidal":
        return (stored_table(info.positions),)
    base = float(info.architecture.get("position_base", PAPER_BASE))
    layout = cast(PositionLayout, info.architecture.get("position_layout", "interleaved"))
    return (TablePositions(info.positions, False, base, layout),)


def known_of(facts: Sequence[PositionFacts], name: str = "", sha256: str = "") -> tuple[KnownPositions, ...]:
    """What there is to look at, in the facts' order; empty where there is nothing."""
    return tuple(KNOWN[type(fact)](fact, name, sha256) for fact in facts if type(fact) in KNOWN)


def find(found: Sequence[KnownPositions], stack: str) -> KnownPositions | None:
    """What is called so by `call`: by its stack, or by its number from 1; the first where nothing is said."""
    if stack.isdecimal():
        return found[int(stack) - 1] if 0 < int(stack) <= len(found) else None
    return next((known for known in found if not stack or known.stack in (stack, "both")), None)


def call(found: Sequence[KnownPositions], which: int) -> str:
    """How `find` finds it; empty where there is only one."""
    if len(found) < 2:
        return ""
    stacks = [known.stack for known in found]
    unique = "both" not in stacks and len(set(stacks)) == len(found)
    return stacks[which] if unique else str(which + 1)


def names_of(found: Sequence[KnownPositions]) -> tuple[str, ...]:
    """What tells several of them apart: the stack, else the kind, else the base of the rotations."""
    translate = QCoreApplication.translate
    stacks = {
        "encoder": translate("PositionsKnown", "Encoder"),
        "decoder": translate("PositionsKnown", "Decoder"),
        "both": translate("PositionsKnown", "Encoder and decoder"),
    }
    if len({known.stack for known in found}) == len(found):
        return tuple(stacks[known.stack] for known in found)
    return tuple(known.sort_name() for known in found)
