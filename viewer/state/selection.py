"""What a pane shows of a trace: frozen, comparable, JSON-able."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from model.trace import AttentionKind, Trace


@dataclass(frozen=True)
class Selection:
    """One map of one trace at one moment; everything counts from 0.

    Attributes:
        head: None for the mean over the layer's heads.
        step: the decoding step in view (row of the decoder); -1 before the first.
        query, key: the cell under the crosshair, None when there is none.
    """

    kind: AttentionKind = AttentionKind.CROSS
    layer: int = 0
    head: int | None = 0
    step: int = -1
    query: int | None = None
    key: int | None = None

    def but(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return replace(self, **changes)

    def within(self, trace: Trace) -> Self:
        """The nearest selection that exists in `trace`: a missing family, layer or head becomes one it has."""
        kinds = trace.kinds
        if not kinds:
            return self.but(step=-1, query=None, key=None)
        kind = self.kind if self.kind in kinds else kinds[-1]
        shape = trace.patterns.shape(kind)
        assert shape is not None
        layers, heads, queries, keys = shape
        head = None if self.head is None else min(max(0, self.head), heads - 1)
        inside = (
            self.query is not None and self.key is not None and self.query < queries and self.key < keys
        )
        return self.but(
            kind=kind,
            layer=min(max(0, self.layer), layers - 1),
            head=head,
            step=min(max(-1, self.step), trace.steps - 1),
            query=self.query if inside else None,
            key=self.key if inside else None,
        )

    def to_json(self) -> dict[str, Any]:
        """Plain values by field name."""
        return {**asdict(self), "kind": str(self.kind)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """The inverse of `to_json`."""
        return cls(**{**values, "kind": AttentionKind(values["kind"])})
