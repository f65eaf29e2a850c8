"""Detach: all cross-attention is multiplied by one factor, so that less of the source is heard. No torch.

HalOmi and its toolkit (Dale et al. 2023, arXiv 2305.11746) detach a translation from its source so. It is
`ScaleHead` of every head of every cross-attention at once: the heads' output before the output projection is
multiplied, and at 0 only that projection's bias is left, which is the same for every source.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from model.alterations.alteration import Alteration, Case
from model.alterations.effects import Effects
from model.alterations.scale_head import check_factor
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind


@dataclass(frozen=True)
class Detach(Alteration, name="detach"):
    """What every cross-attention head gives on is multiplied; the patterns stay as they are computed.

    Attributes:
        factor: 0 is detached from the source, 1 untouched; at most that of `ScaleHead`.
    """

    crosses = True
    by_hooks = True

    factor: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "factor", check_factor(self.factor))

    def label(self) -> str:
        """See `Alteration`."""
        if self.factor == 0:
            return "detached from the source: cross-attention of every layer switched off"
        return f"cross-attention of every layer × {self.factor:g}"

    def check(self, case: Case) -> None:
        """See `Alteration`: every model that has an encoder can be detached from it."""
        if not case.architecture.shape.cross:
            raise HeadscopeError("alteration_kind", kind=str(AttentionKind.CROSS))

    def act(self, effects: Effects) -> None:
        """See `Alteration`."""
        effects.scale(AttentionKind.CROSS, None, None, self.factor)

    @classmethod
    def add_arguments(cls, to: argparse._ArgumentGroup) -> None:
        """See `Alteration`."""
        to.add_argument(
            "--detach",
            type=float,
            metavar="A",
            help="multiply what all cross-attention gives on by A: 0 detaches the translation from its "
            "source, 1 changes nothing",
        )

    @classmethod
    def of_arguments(cls, given: argparse.Namespace, parser: argparse.ArgumentParser) -> tuple[Detach, ...]:
        """See `Alteration`."""
        if given.detach is None:
            return ()
        try:
            return (cls(given.detach),)
        except HeadscopeError as error:
            parser.error(f"--detach: {error}")

    def as_arguments(self) -> tuple[str, ...] | None:
        """See `Alteration`."""
        return "--detach", repr(self.factor)
