"""What a user changes in a model's computation, said in full: frozen, JSON-able, no torch.

Everything counts from 0, and in the order in which the model reads: after a `Reorder`, token 0 is the piece
that stands first then. How each is carried out stands in `model.altering`, whether a model can be changed so
in `model.alteration_check`, how people write and read them in `model.alteration_text`. Traces, sessions and
the JSON of commands hold them as `to_json` writes them.

Several compose: scales of one head multiply, of rows set twice the last wins, of changed positions of one
side the last wins, every blocked token is blocked, and orders are taken one after the other.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, NoReturn, get_args

from model import config
from model.errors import HeadscopeError
from model.trace import AttentionKind

Side = Literal["source", "target", "both"]
How = Literal["none", "shuffled"]

LARGEST_FACTOR = 100.0
WEIGHTS_TOLERANCE = 1e-4
_LARGEST_COUNT = 2**31 - 1
_LARGEST_SEED = 2**63 - 1
_SHOWN = 60  # characters of a wrong value that a message repeats


@dataclass(frozen=True)
class ScaleHead:
    """A head's output is multiplied, before the output projection W_O; its pattern stays as it is computed.

    Attributes:
        head: None for every head of the layer, so that with factor 0 nothing but the bias of W_O is left.
        factor: 0 switches off, 1 changes nothing; at most `LARGEST_FACTOR`.

    Raises:
        HeadscopeError: a value that makes no sense in any model (so do all these classes).
    """

    kind: AttentionKind
    layer: int
    head: int | None = None
    factor: float = 0.0

    def __post_init__(self) -> None:
        _check_place(self.kind, self.layer, self.head)
        if not _is_number(self.factor) or not 0 <= self.factor <= LARGEST_FACTOR:
            _refuse("factor", self.factor, f"a number from 0 to {LARGEST_FACTOR:g}")
        object.__setattr__(self, "factor", float(self.factor))


@dataclass(frozen=True)
class BlockToken:
    """Nobody may attend to a source token, neither the encoder nor cross-attention."""

    token: int

    def __post_init__(self) -> None:
        _check_count("token", self.token)


@dataclass(frozen=True)
class ChangePositions:
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
                _refuse(name, value, " or ".join(choices))
        _check_count("seed", self.seed, _LARGEST_SEED)
        if self.steps is not None:
            _check_count("steps", self.steps)
        if self.how != "shuffled" or self.side == "source":
            object.__setattr__(self, "steps", None)


@dataclass(frozen=True)
class SetRow:
    """One row of attention weights is replaced.

    Attributes:
        head: None for every head of the layer.
        query: the row: a source token, or in the decoder a step.
        key: all weight on this key; None if `weights` says it, or the row is to be uniform over the keys that
            it may attend to.
        weights: one number for each key that it may attend to, in order (in decoder self-attention the steps
            up to its own, else the source tokens that are not blocked); none negative, together 1 to within
            `WEIGHTS_TOLERANCE`. The model goes on with them divided by their sum.
    """

    kind: AttentionKind
    layer: int
    head: int | None
    query: int
    key: int | None = None
    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        _check_place(self.kind, self.layer, self.head)
        _check_count("query", self.query)
        if self.key is not None:
            _check_count("key", self.key)
            if self.weights is not None:
                _refuse("weights", self.weights, "left out where a key is named")
            if self.kind is AttentionKind.DECODER_SELF and self.key > self.query:
                raise HeadscopeError("alteration_later", row=self.query + 1, key=self.key + 1)
        elif self.weights is not None:
            self._check_weights(self.weights)

    def _check_weights(self, weights: Any) -> None:
        if not isinstance(weights, tuple) or not weights or not all(map(_is_number, weights)):
            _refuse("weights", weights, "a list of numbers")
        total = sum(weights)
        if min(weights) < 0 or abs(total - 1) > WEIGHTS_TOLERANCE:
            raise HeadscopeError("alteration_weights", total=f"{total:.6g}", least=f"{min(weights):.6g}")
        if self.kind is AttentionKind.DECODER_SELF and len(weights) != self.query + 1:
            raise HeadscopeError(
                "alteration_weights_count", row=self.query + 1, keys=self.query + 1, count=len(weights)
            )
        object.__setattr__(self, "weights", tuple(map(float, weights)))


@dataclass(frozen=True)
class Reorder:
    """The source's pieces are read in another order; they are permuted, never split anew.

    Attributes:
        order: a permutation of the pieces' places, the end token's left out: `order[i]` is the place that
            the piece now in place i had.
    """

    order: tuple[int, ...]

    def __post_init__(self) -> None:
        order: Any = self.order
        if not isinstance(order, tuple) or not all(map(_is_integer, order)):
            _refuse("order", order, "a list of places")
        if sorted(order) != list(range(len(order))):
            raise HeadscopeError("alteration_order", count=len(order), order=_shown([i + 1 for i in order]))


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
    """Plain values by field name, and `type`; `steps` of positions only where there is a number."""
    name = next(name for name, kind in TYPES.items() if isinstance(alteration, kind))
    values = {
        key: list(value) if isinstance(value, tuple) else value for key, value in asdict(alteration).items()
    }
    if "kind" in values:
        values["kind"] = str(values["kind"])
    if isinstance(alteration, ChangePositions) and alteration.steps is None:
        del values["steps"]
    return {"type": name, **values}


def from_json(values: Mapping[str, Any]) -> Alteration:
    """The inverse of `to_json`.

    Raises:
        HeadscopeError: `alteration_unknown`, or a value that makes no sense.
    """
    if not isinstance(values, Mapping):
        raise HeadscopeError("alteration_unknown", type=_shown(values))
    plain = {str(name): value for name, value in values.items()}
    name = plain.pop("type", None)
    made = TYPES.get(name) if isinstance(name, str) else None
    if made is None:
        raise HeadscopeError("alteration_unknown", type=_shown(name))
    for field in ("weights", "order"):
        if isinstance(plain.get(field), list):
            plain[field] = tuple(plain[field])
    if "kind" in plain and plain["kind"] in list(AttentionKind):
        plain["kind"] = AttentionKind(plain["kind"])
    result: Alteration = config.from_json(made, plain, "alteration")
    return result


def all_to_json(alterations: Iterable[Alteration]) -> tuple[dict[str, Any], ...]:
    """As a trace's header has them."""
    return tuple(map(to_json, alterations))


def among_steps(alterations: Iterable[Alteration], steps: int) -> tuple[Alteration, ...]:
    """The changes, shuffled positions of the target being those of the first `steps` where none is said."""
    return tuple(
        replace(change, steps=steps)
        if isinstance(change, ChangePositions) and change.steps is None
        else change
        for change in alterations
    )


def _check_place(kind: Any, layer: Any, head: Any) -> None:
    if not isinstance(kind, AttentionKind):
        _refuse("kind", kind, " or ".join(AttentionKind))
    _check_count("layer", layer)
    if head is not None:
        _check_count("head", head)


def _check_count(name: str, value: Any, most: int = _LARGEST_COUNT) -> None:
    if not _is_integer(value) or not 0 <= value <= most:
        _refuse(name, value, f"a whole number from 0 to {most}")


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    """Whether it is a number, and so small that nothing computed with it overflows."""
    small = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 2**53
    return small and math.isfinite(value)


def _shown(value: Any) -> str:
    """A wrong value, as a message repeats it."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, TypeError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _refuse(field: str, value: Any, wanted: str) -> NoReturn:
    raise HeadscopeError("config_type", field=field, where="alteration", value=_shown(value), wanted=wanted)
