"""Arguments of commands that change a model's computation, as every alteration says its own. No torch."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import NoReturn

from model.alterations import registry
from model.alterations.alteration import Alteration


def add_alteration_arguments(to: argparse.ArgumentParser) -> None:
    """Arguments that change the model's computation; what they say is `alterations_of`."""
    group = to.add_argument_group("changes of the model's computation (everything counts from 1)")
    for row in registry.ALTERATIONS:
        row.add_arguments(group)


def alterations_of(given: argparse.Namespace, parser: argparse.ArgumentParser) -> tuple[Alteration, ...]:
    """The changes asked for; ends with usage and status 2 where they make no sense together."""
    return tuple(change for row in registry.ALTERATIONS for change in row.of_arguments(given, parser))


def arguments_of(alterations: Iterable[Alteration]) -> list[str] | None:
    """The words that ask for just these changes; None where commands have none for them."""
    changes = tuple(alterations)
    words: list[str] = []
    for change in changes:
        said = change.as_arguments()
        if said is None:
            return None
        words += said
    return words if _heard(words) == registry.in_order(changes) else None


def _heard(words: list[str]) -> tuple[Alteration, ...] | None:
    """What commands understand by the words; None where they refuse them."""
    parser = _Listening(add_help=False)
    add_alteration_arguments(parser)
    try:
        return alterations_of(parser.parse_args(words), parser)
    except _Refused:
        return None


class _Refused(Exception):
    """These words make no sense together."""


class _Listening(argparse.ArgumentParser):
    """Ends no program."""

    def error(self, message: str) -> NoReturn:
        raise _Refused(message)
