"""Positions known of the model in use, ready to be looked at: tables, rotations, biases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

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


@dataclass(frozen=True, eq=False)
class Rotary:
    """Rotations of queries and keys, and whose they are."""

    fact: RotaryPositions
    model_name: str = ""
    model_sha256: str = ""

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
        turned = translate("Figure", "{turned} of a head's {all} dimensions turned")
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


KnownPositions = PositionTable | Rotary | Bias


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
    found: list[KnownPositions] = []
    for fact in facts:
        if isinstance(fact, TablePositions):
            computed = fact.base is None and not fact.learned
            found.append(
                PositionTable(
                    fact.rows,
                    fact.base,
                    fact.layout,
                    name,
                    sha256,
                    computed=computed,
                    stack=fact.stack,
                    stored=fact.stored,
                )
            )
        elif isinstance(fact, RotaryPositions):
            found.append(Rotary(fact, name, sha256))
        elif isinstance(fact, RelativeBias):
            found.append(Bias(fact, name, sha256))
    return tuple(found)


def stack_of(known: KnownPositions) -> Stack:
    """Whose it is."""
    return known.stack if isinstance(known, PositionTable) else known.fact.stack


def find(found: Sequence[KnownPositions], stack: str) -> KnownPositions | None:
    """What is called so by `call`: by its stack, or by its number from 1; the first where nothing is said."""
    if stack.isdecimal():
        return found[int(stack) - 1] if 0 < int(stack) <= len(found) else None
    return next((known for known in found if not stack or stack_of(known) in (stack, "both")), None)


def call(found: Sequence[KnownPositions], which: int) -> str:
    """How `find` finds it; empty where there is only one."""
    if len(found) < 2:
        return ""
    stacks = [stack_of(known) for known in found]
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
    if len({stack_of(known) for known in found}) == len(found):
        return tuple(stacks[stack_of(known)] for known in found)
    names = []
    for known in found:
        if isinstance(known, Rotary):
            text = translate("PositionsKnown", "Rotary, base {base}")
            names.append(text.format(base=grouped(known.fact.base)))
        elif isinstance(known, Bias):
            names.append(translate("PositionsKnown", "Bias"))
        else:
            names.append(translate("PositionsKnown", "Table"))
    return tuple(names)
