"""The registry of alterations: one row each, from which JSON, checks, arguments and menus follow. No torch.

Several compose: scales of one head multiply, of rows set twice the last wins, of changed positions of one
side the last wins, of two layers to read the last wins, every blocked token is blocked, orders are taken one
after the other, and what is carried in comes before rows are set and heads scaled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from model.alterations.alteration import Alteration, Case
from model.alterations.block_token import BlockToken
from model.alterations.carry import Carry
from model.alterations.change_positions import ChangePositions
from model.alterations.detach import Detach
from model.alterations.effects import Effects
from model.alterations.outline import Outline
from model.alterations.read_layer import ReadLayer
from model.alterations.reorder import Reorder
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.alterations.values import shown
from model.config import Architecture
from model.errors import HeadscopeError

ALTERATIONS: tuple[type[Alteration], ...] = (
    ScaleHead,
    Detach,
    BlockToken,
    ChangePositions,
    ReadLayer,
    SetRow,
    Reorder,
    Carry,
)
"""In the order in which commands take them."""


def named(name: Any) -> type[Alteration] | None:
    """The alteration whose `type` in JSON this is; None where it is not known here."""
    return next((row for row in ALTERATIONS if row.name == name), None)


def from_json(values: Mapping[str, Any]) -> Alteration:
    """The inverse of `Alteration.to_json`.

    Raises:
        HeadscopeError: `alteration_unknown`, or a value that makes no sense.
    """
    if not isinstance(values, Mapping):
        raise HeadscopeError("alteration_unknown", type=shown(values))
    plain = {str(name): value for name, value in values.items()}
    name = plain.pop("type", None)
    row = named(name)
    if row is None:
        raise HeadscopeError("alteration_unknown", type=shown(name))
    return row.of_json(plain)


def all_to_json(alterations: Iterable[Alteration]) -> tuple[dict[str, Any], ...]:
    """As a trace's header has them."""
    return tuple(change.to_json() for change in alterations)


def among_steps(alterations: Iterable[Alteration], steps: int) -> tuple[Alteration, ...]:
    """The changes, shuffled positions of the target being those of the first `steps` where none is said."""
    return tuple(change.among_steps(steps) for change in alterations)


def in_order(alterations: Iterable[Alteration]) -> tuple[Alteration, ...]:
    """By type, in the order of the registry; else as they were."""
    return tuple(sorted(alterations, key=lambda change: ALTERATIONS.index(type(change))))


def check_alterations(
    alterations: Iterable[Alteration], architecture: Architecture | Outline, source_length: int
) -> None:
    """Refuse what a model cannot be changed to; see `Alteration.check`.

    Args:
        source_length: tokens of the source, the end token included.

    Raises:
        HeadscopeError: the first thing that does not fit.
    """
    changes = tuple(alterations)
    case = Case(Outline.of(architecture), source_length, frozenset(Effects.of(changes).blocked))
    for change in changes:
        change.check(case)
