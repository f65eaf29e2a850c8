"""Lesson: what a page of Learn computes from where its controls stand. No torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from model.errors import HeadscopeError
from model.lessons.control import Control, Value
from model.questions.questions import Question, Reading
from model.trace.trace import AttentionKind, Trace

Values = Mapping[str, Value]
Ask = tuple[Question, Reading | None]


@dataclass(frozen=True)
class Subject:
    """What is open while a lesson is looked at: a translation, and where in it one looks.

    Attributes:
        reading: the translation, to be read again by its model.
        src, read, out: raw pieces that the encoder reads, that the decoder reads, and that are produced.
        layers: of each kind of attention that there is.
        heads: of the kind in view.
        kind, layer, head, query: the head and the row in view, from 0.
    """

    reading: Reading
    src: tuple[str, ...]
    read: tuple[str, ...]
    out: tuple[str, ...]
    layers: Mapping[AttentionKind, int]
    heads: int
    kind: AttentionKind
    layer: int = 0
    head: int = 0
    query: int = 0

    @classmethod
    def of(cls, trace: Trace) -> Subject:
        """A trace, at the first head of its last kind of attention, the last row."""
        kind = trace.kinds[-1]
        return cls(
            Reading.of(trace),
            tuple(trace.src_tokens),
            tuple(trace.tgt_in_tokens),
            tuple(trace.tgt_out_tokens),
            {kind: trace.layers(kind) for kind in trace.kinds},
            trace.heads(kind),
            kind,
            query=max(0, len(trace.tgt_out_tokens) - 1),
        )

    @property
    def queries(self) -> tuple[str, ...]:
        """What is read in each row of the kind in view."""
        return self.src if self.kind is AttentionKind.ENCODER_SELF else self.read

    @property
    def keys(self) -> tuple[str, ...]:
        """What each column of the kind in view is."""
        return self.read if self.kind is AttentionKind.DECODER_SELF else self.src

    def at(self, kind: AttentionKind, layer: int, head: int, query: int, heads: int) -> Subject:
        """The same, looked at in another place."""
        return replace(self, kind=kind, layer=layer, head=head, query=query, heads=heads)


@dataclass(frozen=True)
class Finding:
    """One number of "what you got".

    Attributes:
        value: None where there is none.
        holds: whether it is as the lesson says to expect; None where it says nothing of it.
        about: further values that its sentence needs.
    """

    name: str
    value: float | int | str | bool | None
    holds: bool | None = None
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Numbers:
    """What a lesson computed.

    Attributes:
        findings: what you got, in the order of the page.
        data: all that its pictures show: arrays, numbers, texts, lists and mappings of them.
    """

    findings: tuple[Finding, ...]
    data: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON-able values; what is no number is None."""
        found = [
            {"name": one.name, "value": plain(one.value), "holds": one.holds, **plain(one.about)}
            for one in self.findings
        ]
        return {"findings": found, "data": plain(self.data)}


def plain(value: Any) -> Any:
    """A value as JSON has it: arrays as lists, what is not finite as None."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    return value


@dataclass(frozen=True, eq=False)
class Lesson:
    """A lesson; what it says and draws is the viewer's (`viewer.lessons`).

    Attributes:
        name: as files and commands know it.
        controls: what can be turned, of what is open (None: nothing is).
        numbers: what it shows; called with a value of every control, the answer of what it asked (None where
            it asked nothing) and what is open. Quick: what takes more than a few milliseconds is asked.
        asks: the question that it needs answered, if any, where its controls stand there.
        needs_answer: there is nothing to show without an answer.
        unused: controls that make no difference where the others stand so; the page hides them.
        stations: where a presenter's clicker turns the controls, one after the other; what a station does not
            name stays as it is.
        modules: what `numbers` imports that takes a moment, by name: a window has it imported beforehand.
    """

    name: str
    controls: Callable[[Subject | None], tuple[Control, ...]]
    numbers: Callable[[Values, Any, Subject | None], Numbers]
    asks: Callable[[Values, Subject | None], Ask | None] = lambda values, subject: None
    needs_answer: bool = False
    unused: Callable[[Values], frozenset[str]] = lambda values: frozenset()
    stations: Callable[[Subject | None], tuple[Values, ...]] = lambda subject: ()
    modules: tuple[str, ...] = ()


def taken_values(controls: tuple[Control, ...], given: Mapping[str, object]) -> dict[str, Value]:
    """A value of every control: what is given, else its default.

    Raises:
        HeadscopeError: `lesson_control`: there is no such control; `lesson_value`: it cannot be turned there.
    """
    known = {control.name for control in controls}
    for name in given:
        if name not in known:
            raise HeadscopeError("lesson_control", control=name, known=", ".join(sorted(known)) or "–")
    return {
        control.name: control.taken(given[control.name]) if control.name in given else control.default
        for control in controls
    }


def kept_values(controls: tuple[Control, ...], before: Mapping[str, object]) -> dict[str, Value]:
    """A value of every control: as before where it can still be turned there, else its default."""
    kept: dict[str, Value] = {}
    for control in controls:
        kept[control.name] = control.default
        if control.name in before:
            try:
                kept[control.name] = control.taken(before[control.name])
            except HeadscopeError:
                continue
    return kept
