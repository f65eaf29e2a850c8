"""Carrying: what else than a pattern may be replaced while a model computes, and where it is asked.

A tap sees patterns (`model.network.attention.Tap`). One that has an attribute `carrying` is asked in three
more places; a tap that wraps another passes it on. Activation patching is made of this.

Shapes: b batch, h heads, g heads of keys and values, q queries, k keys, e width of a head, d d_model.
"""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from model.network.site import AttentionSite
from model.trace.trace import Side


class Carrying(Protocol):
    """Is shown numbers on their way; what it returns is used instead. It must not write into them."""

    def inputs(self, site: AttentionSite, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Queries [b, h, q, e], keys and values [b or 1, g, k, e] of an attention, as they are compared."""

    def output(self, site: AttentionSite, mixed: Tensor) -> Tensor:
        """The heads' outputs before W_O, [b, h, q, e]."""

    def stream(self, side: Side, layer: int, x: Tensor) -> Tensor:
        """What leaves a layer, [b, n, d]."""


def carrying_of(tap: object) -> Carrying | None:
    """What a tap wants to be asked besides; None for one that is about patterns alone."""
    found: Carrying | None = getattr(tap, "carrying", None)
    return found
