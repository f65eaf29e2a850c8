"""Arguments of commands that change a model's computation, as every alteration says its own. No torch."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from functools import lru_cache
from typing import NoReturn

from model.alterations import registry
from model.alterations.alteration import Alteration
from model.errors import HeadscopeError


def add_alteration_arguments(to: argparse.ArgumentParser) -> None:
    """Arguments that change the model's computation; what they say is `alterations_of`."""
    group = to.add_argument_group("changes of the model's computation (everything counts from 1)")
    for row in registry.ALTERATIONS:
        row.add_arguments(group)
    group.add_argument(
        "--alter",
        action="append",
        default=[],
        metavar="JSON",
        help="any change, as the `alterations` of traces and sessions have it, which counts from 0: "
        '{"type": "row", "kind": "cross", "layer": 1, "head": 2, "query": 3, "key": 0} (repeat for more)',
    )


def alterations_of(given: argparse.Namespace, parser: argparse.ArgumentParser) -> tuple[Alteration, ...]:
    """The changes asked for; ends with usage and status 2 where they make no sense together."""
    changes = [change for row in registry.ALTERATIONS for change in row.of_arguments(given, parser)]
    for text in given.alter:
        try:
            changes.append(registry.from_json(json.loads(text)))
        except ValueError:
            parser.error(f"argument --alter: no JSON object: {text!r}")
        except RecursionError:
            parser.error("argument --alter: lists in lists in lists")
        except HeadscopeError as error:
            parser.error(f"argument --alter: {error}")
    return registry.in_order(changes)


def arguments_of(alterations: Iterable[Alteration]) -> list[str] | None:
    """The words that ask for just these changes: short ones where there are, else `--alter` with their JSON.

    None where commands refuse them together.
    """
    changes = tuple(alterations)
    short: list[str] = []
    for change in changes:
        said = change.as_arguments()
        short += _as_json(change) if said is None else said
    if _heard(short) == registry.in_order(changes):
        return short
    whole = [word for change in changes for word in _as_json(change)]
    return whole if _heard(whole) == registry.in_order(changes) else None


def _as_json(change: Alteration) -> tuple[str, str]:
    return "--alter", json.dumps(change.to_json(), ensure_ascii=False)


def _heard(words: list[str]) -> tuple[Alteration, ...] | None:
    """What commands understand by the words; None where they refuse them."""
    parser = _listening(registry.ALTERATIONS)
    try:
        return alterations_of(parser.parse_args(words), parser)
    except _Refused:
        return None


@lru_cache(maxsize=1)
def _listening(rows: tuple[type[Alteration], ...]) -> _Listening:
    """Knows the arguments of the registry's rows; made once, as a script of many runs asks for each."""
    parser = _Listening(add_help=False)
    add_alteration_arguments(parser)
    return parser


class _Refused(Exception):
    """These words make no sense together."""


class _Listening(argparse.ArgumentParser):
    """Ends no program."""

    def error(self, message: str) -> NoReturn:
        raise _Refused(message)
