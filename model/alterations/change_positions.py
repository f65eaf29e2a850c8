"""ChangePositions: no position is added to the tokens, or they get each other's. No torch."""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from model.alterations.alteration import Alteration, Case
from model.alterations.effects import EVERY, NO_POSITION, Effects
from model.alterations.values import check_count, refuse
from model.trace.trace import Side as OneSide

Side = Literal["source", "target", "both"]
How = Literal["none", "shuffled"]

_LARGEST_SEED = 2**63 - 1


@dataclass(frozen=True)
class ChangePositions(Alteration, name="positions"):
    """No position is added to the tokens, or they get each other's.

    Attributes:
        how: `none` adds no position; `shuffled` gives the source tokens (the steps of the target) each
            other's positions, in an order drawn with `seed`.
        steps: of a shuffled target, how many steps, from the first, have each other's positions; a later one
            keeps its own. With as many as a translation has, it is its own positions that are shuffled. None
            leaves it to the decoding, which says the number it took: those of a forced target, else (how
            long a translation gets shows only afterwards) the most that it may have. Always None otherwise.
    """

    side: Side = "both"
    how: How = "none"
    seed: int = 0
    steps: int | None = None

    def __post_init__(self) -> None:
        for name, choices in (("side", get_args(Side)), ("how", get_args(How))):
            value = getattr(self, name)
            if not isinstance(value, str) or value not in choices:
                refuse(name, value, " or ".join(choices))
        check_count("seed", self.seed, _LARGEST_SEED)
        if self.steps is not None:
            check_count("steps", self.steps)
        if self.how != "shuffled" or self.side == "source":
            object.__setattr__(self, "steps", None)

    def label(self) -> str:
        """See `Alteration`."""
        whose = "positions" if self.side == "both" else f"{self.side} positions"
        if self.how == "none":
            return f"no {whose}"
        among = "" if self.steps is None else f" among steps 1 to {self.steps}"
        if self.side == "both" and among:
            among = f", the target's{among}"
        return f"{whose} shuffled{among} (seed {self.seed})"

    def check(self, case: Case) -> None:
        """See `Alteration`: every sentence and model can be read so."""

    def act(self, effects: Effects) -> None:
        """See `Alteration`."""
        sides: tuple[OneSide, ...] = ("source", "target") if self.side == "both" else (self.side,)
        for side in sides:
            some = side == "target" and self.how == "shuffled"
            effects.place(side, self._ids, self.steps if some else EVERY)

    def among_steps(self, steps: int) -> ChangePositions:
        """See `Alteration`."""
        return replace(self, steps=steps) if self.steps is None else self

    def to_json(self) -> dict[str, Any]:
        """As `Alteration` says; `steps` only where there is a number."""
        values = super().to_json()
        if self.steps is None:
            del values["steps"]
        return values

    @classmethod
    def add_arguments(cls, to: argparse._ArgumentGroup) -> None:
        """See `Alteration`."""
        to.add_argument(
            "--no-positions", action="store_true", help="add no positions to the tokens, on either side"
        )

    @classmethod
    def of_arguments(
        cls, given: argparse.Namespace, parser: argparse.ArgumentParser
    ) -> tuple[ChangePositions, ...]:
        """See `Alteration`."""
        return (cls(),) if given.no_positions else ()

    def as_arguments(self) -> tuple[str, ...] | None:
        """See `Alteration`."""
        return ("--no-positions",) if self == ChangePositions() else None

    def _ids(self, count: int) -> Sequence[int]:
        return [NO_POSITION] * count if self.how == "none" else shuffled(count, self.seed)


def shuffled(count: int, seed: int) -> list[int]:
    """0 .. count-1 in an order drawn with `seed`, never the usual one if there is another.

    The same in every version of Python: only `random.Random.random` is promised to stay as it is.
    """
    draw = random.Random(seed)
    order = list(range(count))
    while True:
        keys = [draw.random() for _ in range(count)]
        drawn = sorted(range(count), key=keys.__getitem__)
        if drawn != order or count < 2:
            return drawn
