"""Selection: what a pane shows of a trace: frozen, comparable, JSON-able."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, Self

from model.trace.trace import AttentionKind, Trace

MAP_VIEW, GRAPH_VIEW = "map", "contributions"
"""The view that a pane opens with; the others are named where they are made."""


class Numbers(StrEnum):
    """What the numbers of a pane are: attention weights (of a head, or the mean over a layer's heads), what
    became of several heads, what else follows from the weights, what tokens are made of (through the layers,
    or in one), or the scores that weights come from.
    """

    WEIGHTS = "weights"
    MAX_HEADS = "max_heads"
    MEAN_LAYERS = "mean_layers"
    MAX_LAYERS = "max_layers"
    ROLLOUT = "rollout"
    VALUE_WEIGHTED = "value_weighted"
    GRADIENT = "gradient"
    ALTI = "alti"
    ALTI_LAYER = "alti_layer"
    ZEROING = "zeroing"
    ZEROING_LAYER = "zeroing_layer"
    SCORES = "scores"
    SCALED = "scaled"
    MASKED = "masked"


_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


class AddedNumbers(str):
    """Numbers of another package, by name; see `model.extensions.kinds.Quantity`."""

    __slots__ = ()


AnyNumbers = Numbers | AddedNumbers


def numbers_named(name: str) -> AnyNumbers:
    """Ours, or another package's, be it there or not.

    Raises:
        ValueError: no numbers are called so.
    """
    try:
        return Numbers(name)
    except ValueError:
        if not _NAME.fullmatch(name):
            raise
        return AddedNumbers(name)


@dataclass(frozen=True)
class Selection:
    """One map of one trace at one moment; everything counts from 0.

    Attributes:
        head: None for the mean over the layer's heads.
        step: the decoding step in view (row of the decoder); -1 only while nothing is decoded. The encoder's
            maps are the same at every step.
        query, key: the cell under the crosshair, None when there is none.
        view: how it is shown, by name; one that is not known, as of a file of a later version, is the map.
        numbers: what is shown of it; where these are not there, as of a file of a later version, the weights.
        more_heads: heads of the same layer that the flow draws beside `head`, ascending.
        word, rival: pieces of the vocabulary: the word of the step that is explained (empty: the one that was
            produced), and the one that it is compared with (empty: none). They are gone with the step.
    """

    kind: AttentionKind = AttentionKind.CROSS
    layer: int = 0
    head: int | None = 0
    step: int = -1
    query: int | None = None
    key: int | None = None
    view: str = MAP_VIEW
    numbers: AnyNumbers = Numbers.WEIGHTS
    more_heads: tuple[int, ...] = ()
    word: str = ""
    rival: str = ""

    def but(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return replace(self, **changes)

    def within(self, trace: Trace) -> Self:
        """The nearest selection that exists in `trace`: a missing kind or head becomes one it has."""
        step = min(max(0, self.step), trace.steps - 1)
        kinds = trace.kinds
        if not kinds:
            return self.but(step=step, query=None, key=None)
        kind = self.kind if self.kind in kinds else kinds[-1]
        shape = trace.patterns.shape(kind)
        assert shape is not None
        layers, heads, queries, keys = shape
        head = None if self.head is None else min(max(0, self.head), heads - 1)
        inside = (
            self.query is not None
            and self.key is not None
            and 0 <= self.query < queries
            and 0 <= self.key < keys
        )
        return self.but(
            kind=kind,
            layer=min(max(0, self.layer), layers - 1),
            head=head,
            step=step,
            query=self.query if inside else None,
            key=self.key if inside else None,
            more_heads=tuple(sorted({other for other in self.more_heads if 0 <= other < heads} - {head})),
        )

    @classmethod
    def opening(cls, showcase: Mapping[str, Any] | None, trace: Trace) -> Self:
        """What to show of a trace that is the first: in the middle of what it produced, on a telling head.

        Args:
            showcase: `{"kind", "layer", "head"}` of a bundle; without one, the mean over the last
                layer's heads, which hides no head.
        """
        given = min(max(0, trace.prompt_length - 1), trace.steps)
        middle = given + (trace.steps - given) // 2
        last = cls(kind=AttentionKind.CROSS, head=None, step=middle).within(trace)
        if showcase is None:
            return last.but(layer=max(0, trace.layers(last.kind) - 1))
        chosen = last.but(
            kind=AttentionKind(showcase["kind"]), layer=showcase["layer"], head=showcase["head"]
        )
        return chosen.within(trace)

    def to_json(self) -> dict[str, Any]:
        """Plain values by field name."""
        names = {name: str(getattr(self, name)) for name in ("kind", "numbers")}
        return {**asdict(self), **names, "more_heads": list(self.more_heads)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`; unknown keys are ignored.

        Raises:
            ValueError: a value is of the wrong type, or nothing can be called so.
        """
        fields: dict[str, Any] = {}
        for name in ("layer", "step"):
            if name in values:
                fields[name] = _integer(name, values[name])
        for name in ("head", "query", "key"):
            if name in values:
                fields[name] = None if values[name] is None else _integer(name, values[name])
        if "kind" in values:
            fields["kind"] = AttentionKind(values["kind"])
        for name in ("view", "word", "rival", "numbers"):
            if name in values:
                fields[name] = _text(name, values[name])
        if "numbers" in fields:
            fields["numbers"] = numbers_named(fields["numbers"])
        if "more_heads" in values:
            if not isinstance(values["more_heads"], list):
                raise ValueError("more_heads is no list")
            fields["more_heads"] = tuple(_integer("more_heads", head) for head in values["more_heads"])
        return cls(**fields)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name} is no name")
    return value


def _integer(name: str, value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"{name} is no integer")
    return value
