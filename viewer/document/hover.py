"""`Hover`: what is under the pointer, so that every view of the same tokens shows it. QtCore only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from model.trace.trace import AttentionKind, Trace


@dataclass(frozen=True)
class Hovered:
    """A cell, a row (key None), a column (query None) or a head of the maps of one kind of one run.

    Attributes:
        run: id of the run.
        query, key: indices in the trace, from 0.
        layer, head: whose map or line it is, from 0; None where it is no single head's.
    """

    run: str
    kind: AttentionKind
    query: int | None = None
    key: int | None = None
    layer: int | None = None
    head: int | None = None

    @property
    def step(self) -> int | None:
        """The decoding step that it names, if it is of a decoder's kind."""
        return None if self.kind is AttentionKind.ENCODER_SELF else self.query

    def of_kind(self, kind: AttentionKind) -> tuple[int | None, int | None]:
        """Query and key that the same tokens are in another kind; (None, None) if they are not in it."""
        if kind is self.kind:
            return self.query, self.key
        target = {AttentionKind.DECODER_SELF, AttentionKind.CROSS}
        if {kind, self.kind} == target:
            return self.query, None
        source = {AttentionKind.ENCODER_SELF, AttentionKind.CROSS}
        return (None, self.key) if {kind, self.kind} == source else (None, None)

    def head_in(self, kind: AttentionKind, layer: int) -> int | None:
        """The head of that layer that it is of, if it is of one."""
        return self.head if kind is self.kind and layer == self.layer else None

    def within(self, trace: Trace) -> bool:
        """Whether a trace has all that it names."""
        if self.kind not in trace.kinds:
            return False
        sizes = (
            (self.query, len(trace.query_tokens(self.kind))),
            (self.key, len(trace.key_tokens(self.kind))),
            (self.layer, trace.layers(self.kind)),
            (self.head, trace.heads(self.kind)),
        )
        return all(index is None or index < size for index, size in sizes)


class Hover(QObject):
    """Held by the session as `hover`; views write where the pointer is and show what others wrote.

    Signals:
        changed: something else, or nothing, is under the pointer.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._at: Hovered | None = None

    @property
    def at(self) -> Hovered | None:
        """What is under the pointer; None when nothing is."""
        return self._at

    def set(self, at: Hovered | None) -> None:
        """The pointer is there now."""
        if at != self._at:
            self._at = at
            self.changed.emit()

    def keep_to(self, shown: Mapping[str, Trace]) -> None:
        """These runs (by id) are shown now: what is in none of them is under no pointer any more."""
        if self._at is not None:
            trace = shown.get(self._at.run)
            if trace is None or not self._at.within(trace):
                self.set(None)
