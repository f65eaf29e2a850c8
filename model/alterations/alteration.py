"""Alteration: one change of a model's computation, said in full: frozen, JSON-able, no torch.

One file a change, one row each in `model.alterations.registry`. Everything counts from 0, and in the order in
which the model reads: after a `Reorder`, token 0 is the piece that stands first then. Traces, sessions and
the JSON of commands hold them as `to_json` writes them.
"""

from __future__ import annotations

import argparse
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

from model import config
from model.alterations.effects import Effects
from model.alterations.outline import Outline
from model.trace.trace import AttentionKind


@dataclass(frozen=True)
class Case:
    """What a model is to be changed for.

    Attributes:
        source_length: tokens of the source (or of a prompt), the end token included.
        blocked: source tokens that nobody may attend to.
    """

    architecture: Outline
    source_length: int
    blocked: frozenset[int] = frozenset()


class Alteration(ABC):
    """What every change has to say of itself; one that leaves anything out cannot be made.

    Subclasses are frozen dataclasses, whose fields are their JSON.

    Args:
        name: `type` in JSON.

    Raises:
        HeadscopeError: when made, a value that makes no sense in any model.

    Attributes:
        in_source_ids: it has its whole effect in the ids that the encoder reads.
        crosses: it is about what the decoder reads of an encoder.
        by_hooks: models that `transformers` runs can be changed so as well, those of ours always.
    """

    name: ClassVar[str]
    in_source_ids: ClassVar[bool] = False
    crosses: ClassVar[bool] = False
    by_hooks: ClassVar[bool] = False

    def __init_subclass__(cls, *, name: str, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        cls.name = name

    @abstractmethod
    def label(self) -> str:
        """One phrase in English, counted from 1: "source token 4 blocked"."""

    @abstractmethod
    def check(self, case: Case) -> None:
        """Refuse what a model cannot be changed to.

        A decoder row that a translation does not come to is no error as long as the model has a position for
        it: how long a translation gets shows only afterwards.

        Raises:
            HeadscopeError: a layer, head, token, row or order that there is none of, or a row that would look
                at nothing or at what is blocked.
        """

    @abstractmethod
    def act(self, effects: Effects) -> None:
        """Say what it does to the computation; what does not fit is for `check` to refuse."""

    def among_steps(self, steps: int) -> Self:
        """The same for a translation of so many steps, where it says no number itself."""
        return self

    # JSON.

    def to_json(self) -> dict[str, Any]:
        """Plain values by field name, and `type`."""
        values = {
            key: list(value)
            if isinstance(value, tuple)
            else str(value)
            if isinstance(value, AttentionKind)
            else value
            for key, value in asdict(self).items()  # type: ignore[call-overload]
        }
        return {"type": self.name, **values}

    @classmethod
    def of_json(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`, without the `type`.

        Raises:
            HeadscopeError: an unknown or a missing field, or a value that makes no sense.
        """
        plain = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
        if "kind" in plain and plain["kind"] in list(AttentionKind):
            plain["kind"] = AttentionKind(plain["kind"])
        return config.from_json(cls, plain, "alteration")

    # Arguments of commands.

    @classmethod
    @abstractmethod
    def add_arguments(cls, to: argparse._ArgumentGroup) -> None:
        """The arguments by which commands are told of it, if there are any."""

    @classmethod
    @abstractmethod
    def of_arguments(cls, given: argparse.Namespace, parser: argparse.ArgumentParser) -> tuple[Self, ...]:
        """Those that are asked for; ends with usage and status 2 where they make no sense together."""

    @abstractmethod
    def as_arguments(self) -> tuple[str, ...] | None:
        """The words that ask for it; None where commands have none."""


class NoArguments:
    """For changes that commands have no arguments for."""

    @classmethod
    def add_arguments(cls, to: argparse._ArgumentGroup) -> None:
        """None."""

    @classmethod
    def of_arguments(cls, given: argparse.Namespace, parser: argparse.ArgumentParser) -> tuple[Self, ...]:
        """None."""
        return ()

    def as_arguments(self) -> tuple[str, ...] | None:
        """None."""
        return None
