"""BlockToken: nobody may look at a source token. No torch."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from model.alterations.alteration import Alteration, Case
from model.alterations.effects import Effects
from model.alterations.place import check_token
from model.alterations.values import check_count
from model.arguments import positive


@dataclass(frozen=True)
class BlockToken(Alteration, name="block"):
    """Nobody may attend to a source token, neither the encoder nor cross-attention."""

    by_hooks = True

    token: int

    def __post_init__(self) -> None:
        check_count("token", self.token)

    def label(self) -> str:
        """See `Alteration`."""
        return f"source token {self.token + 1} blocked"

    def check(self, case: Case) -> None:
        """See `Alteration`."""
        check_token(self.token, case)

    def act(self, effects: Effects) -> None:
        """See `Alteration`."""
        effects.block(self.token)

    @classmethod
    def add_arguments(cls, to: argparse._ArgumentGroup) -> None:
        """See `Alteration`."""
        to.add_argument(
            "--block-token",
            type=positive,
            action="append",
            default=[],
            metavar="I",
            help="let no position look at the source's piece I; may be repeated",
        )

    @classmethod
    def of_arguments(
        cls, given: argparse.Namespace, parser: argparse.ArgumentParser
    ) -> tuple[BlockToken, ...]:
        """See `Alteration`."""
        if len(set(given.block_token)) < len(given.block_token):
            parser.error("--block-token: name each piece once")
        return tuple(cls(token - 1) for token in given.block_token)

    def as_arguments(self) -> tuple[str, ...] | None:
        """See `Alteration`."""
        return "--block-token", str(self.token + 1)
