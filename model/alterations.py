"""What a user changes in a model's computation, said in full: frozen, JSON-able, no torch.

Everything counts from 0. How each is carried out stands in `model.altering`. Traces, sessions and the JSON of
commands hold them as `to_json` writes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from model import config
from model.errors import HeadscopeError
from model.trace import AttentionKind

Side = Literal["source", "target", "both"]
How = Literal["none", "shuffled"]


@dataclass(frozen=True)
class ScaleHead:
    """A head's output is multiplied, before the output projection W_O; its pattern stays as it is computed.

    Attributes:
        head: None for every head of the layer, so that with factor 0 nothing but the bias of W_O is left.
        factor: 0 switches off, 1 changes nothing.
    """

    kind: AttentionKind
    layer: int
    head: int | None = None
    factor: float = 0.0


@dataclass(frozen=True)
class BlockToken:
    """Nobody may attend to a source token, neither the encoder nor cross-attention."""

    token: int


@dataclass(frozen=True)
class ChangePositions:
    """No position is added to the tokens, or they get each other's.

    Attributes:
        how: `none` adds no position; `shuffled` gives the source tokens (the steps of the target) each
            other's positions, in an order drawn with `seed`.
    """

    side: Side = "both"
    how: How = "none"
    seed: int = 0


@dataclass(frozen=True)
class SetRow:
    """One row of attention weights is replaced.

    Attributes:
        head: None for every head of the layer.
        query: the row: a source token, or in the decoder a step.
        key: all weight on this key; None if `weights` says it, or the row is to be uniform.
        weights: one number a key that may be attended to, not negative, together 1 (to 1e-4).
    """

    kind: AttentionKind
    layer: int
    head: int | None
    query: int
    key: int | None = None
    weights: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Reorder:
    """The source's pieces are read in another order; they are permuted, never split anew.

    Attributes:
        order: a permutation of the pieces' places, the end token's left out: `order[i]` is the place that
            the piece now in place i had.
    """

    order: tuple[int, ...]


Alteration = ScaleHead | BlockToken | ChangePositions | SetRow | Reorder

TYPES: dict[str, type[Any]] = {
    "scale": ScaleHead,
    "block": BlockToken,
    "positions": ChangePositions,
    "row": SetRow,
    "reorder": Reorder,
}
"""By the `type` in JSON."""


def to_json(alteration: Alteration) -> dict[str, Any]:
    """Plain values by field name, and `type`."""
    name = next(name for name, kind in TYPES.items() if isinstance(alteration, kind))
    values = {
        key: list(value) if isinstance(value, tuple) else value for key, value in asdict(alteration).items()
    }
    if "kind" in values:
        values["kind"] = str(values["kind"])
    return {"type": name, **values}


def from_json(values: Mapping[str, Any]) -> Alteration:
    """The inverse of `to_json`.

    Raises:
        HeadscopeError: `alteration_unknown`, or a value that makes no sense.
    """
    plain = dict(values)
    kind = TYPES.get(str(plain.pop("type", "")))
    if kind is None:
        raise HeadscopeError("alteration_unknown", type=str(values.get("type")))
    for name in ("weights", "order"):
        if isinstance(plain.get(name), list):
            plain[name] = tuple(plain[name])
    if "kind" in plain:
        plain["kind"] = AttentionKind(plain["kind"])
    result: Alteration = config.from_json(kind, plain, "alteration")
    return result


def all_to_json(alterations: Iterable[Alteration]) -> tuple[dict[str, Any], ...]:
    """As a trace's header has them."""
    return tuple(map(to_json, alterations))
