"""Reorder: the source's pieces are read in another order. No torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from model.alterations.alteration import Alteration, Case, NoArguments
from model.alterations.effects import Effects
from model.alterations.values import is_integer, refuse, shown
from model.errors import HeadscopeError


@dataclass(frozen=True)
class Reorder(NoArguments, Alteration, name="reorder"):
    """The source's pieces are read in another order; they are permuted, never split anew.

    Attributes:
        order: a permutation of the pieces' places, the end token's left out: `order[i]` is the place that
            the piece now in place i had.
    """

    in_source_ids = True

    order: tuple[int, ...]

    def __post_init__(self) -> None:
        order: Any = self.order
        if not isinstance(order, tuple) or not all(map(is_integer, order)):
            refuse("order", order, "a list of places")
        if sorted(order) != list(range(len(order))):
            raise HeadscopeError("alteration_order", count=len(order), order=shown([i + 1 for i in order]))

    def label(self) -> str:
        """See `Alteration`."""
        return f"pieces reordered {order_label(self.order)}"

    def check(self, case: Case) -> None:
        """See `Alteration`."""
        if len(self.order) != case.source_length - 1:
            order = order_label(self.order)
            raise HeadscopeError("alteration_order", order=order, count=case.source_length - 1)

    def act(self, effects: Effects) -> None:
        """See `Alteration`."""
        effects.reorder(self.order)


def order_label(order: tuple[int, ...]) -> str:
    """Places from 1: "3 2 1"."""
    return " ".join(str(place + 1) for place in order)
