"""Questions: what may be asked of a model beyond a translation, and the reading that they are about.

No torch. The window asks them through `viewer.document.answers`; `model.inspection.answering` answers them. A
question and the `Reading` that it is about are hashable: together they are the key of an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np

from model.alterations.alteration import Alteration
from model.alterations.registry import from_json, named
from model.trace.trace import AttentionKind, Side, Trace

Urgency = Literal["instant", "interactive", "reading", "background"]
"""What goes first: before anything, as a translation, behind translations, behind everything."""


@dataclass(frozen=True)
class Reading:
    """A source and a translation of it, read token by token by a model (teacher forcing).

    Attributes:
        model_sha256: which model.
        src_ids: all that the encoder reads, the end token included.
        out_ids: what was produced; the decoder reads the start token and all of these but the last.
        in_ids: of a round, or of a model without an encoder: what the decoder read instead, as many.
        prompt: how many of these were given, of a model without an encoder.
        segments: of a model that reads pairs: which sentence each of `src_ids` is of; empty for the first.
        alterations: what is changed in the model's computation. `Reorder` has its effect in `src_ids` already
            and is left out here.
        text, model_name: of the source and the model, for messages.
        logprobs: natural log probability of each of `out_ids` as recorded, where nothing else tells whether a
            model is the one that it was recorded with; it is then not answered by one that finds others.
    """

    model_sha256: str
    src_ids: tuple[int, ...]
    out_ids: tuple[int, ...] = ()
    alterations: tuple[Alteration, ...] = ()
    text: str = ""
    model_name: str = ""
    logprobs: tuple[float, ...] = ()
    in_ids: tuple[int, ...] = ()
    prompt: int = 0
    segments: tuple[int, ...] = ()

    @property
    def given(self) -> int:
        """How many of `out_ids` were not produced: those inside a prompt."""
        return max(0, self.prompt - 1)

    @classmethod
    def of(cls, trace: Trace) -> Self:
        """What a trace shows, to be read again.

        Raises:
            HeadscopeError: it was altered in a way that is not known here.
        """
        return cls(
            trace.model_sha256,
            tuple(map(int, trace.src_ids)),
            tuple(map(int, trace.tgt_out_ids)),
            _without_order(trace.alterations),
            trace.src_text,
            trace.model_name,
            () if trace.model_sha256 else _recorded(trace),
            tuple(map(int, trace.tgt_in_ids)) if _reads_other_than_it_wrote(trace) else (),
            trace.prompt_length,
            _segments(trace),
        )


def _reads_other_than_it_wrote(trace: Trace) -> bool:
    return trace.decoding.get("mode") == "rounds" or not len(trace.src_ids)


def _segments(trace: Trace) -> tuple[int, ...]:
    segments = trace.src_segments
    return tuple(map(int, segments)) if segments is not None and segments.any() else ()


def _recorded(trace: Trace) -> tuple[float, ...]:
    """The log probabilities of a trace; empty if it has none, which is written as zeros."""
    logprobs = trace.step_logprob
    return tuple(map(float, logprobs)) if logprobs.any() and np.isfinite(logprobs).all() else ()


def _without_order(alterations: tuple[Mapping[str, Any], ...]) -> tuple[Alteration, ...]:
    rows = ((change, named(change.get("type"))) for change in alterations)
    return tuple(from_json(change) for change, row in rows if row is None or not row.in_source_ids)


@dataclass(frozen=True)
class Question:
    """Asked of a model (about a `Reading`, or of none), or of numbers that need no model.

    A question is one class, which says itself what answers it.

    Args:
        answered_by: "module:function", imported when it is first asked. Called with the question and
            `model.inspection.asked.Asked`, the function yields None where it may be interrupted, progress
            (done, total) and `Partial` answers, and at last the answer, which is no tuple.

    Attributes:
        urgency: what else goes first.
        needs_model: it is answered by the model in use, which must be that of the reading, if there is one.
        activity: what the window says is being done while it is worked out, to be stopped there; empty where
            whoever asks says it beside the answer.
    """

    answered_by: ClassVar[str]
    urgency: ClassVar[Urgency] = "reading"
    needs_model: ClassVar[bool] = True
    activity: ClassVar[str] = ""

    def __init_subclass__(cls, *, answered_by: str, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        cls.answered_by = answered_by


@dataclass(frozen=True)
class RowOf(Question, answered_by="model.inspection.one_weight:row_of"):
    """One row of one head, from query and keys to its output; answered by `RowArithmetic`."""

    kind: AttentionKind
    layer: int
    head: int
    query: int


@dataclass(frozen=True)
class StagesOf(Question, answered_by="model.inspection.one_weight:stages_of"):
    """A head's scores before and after each stage of the softmax; answered by `Stages`."""

    kind: AttentionKind
    layer: int
    head: int


@dataclass(frozen=True)
class EmbeddingOf(Question, answered_by="model.inspection.walk:embedding_of"):
    """What enters a stack; answered by `EmbeddingSum`."""

    side: Side


@dataclass(frozen=True)
class WalkOf(Question, answered_by="model.inspection.walk:walk_of"):
    """A position on its way through a stack; answered by `Walk`."""

    side: Side
    position: int


@dataclass(frozen=True)
class ValueNorms(Question, answered_by="model.inspection.value_norms:grams_of"):
    """How long the value vectors are that weights mix (arXiv 2004.10102); answered by `ValueGrams`."""


@dataclass(frozen=True)
class GradientOf(Question, answered_by="model.inspection.gradients:gradients_of"):
    """How the log probability of a step's token changes with each weight; answered by `Gradients`."""

    step: int


@dataclass(frozen=True)
class SharesOf(Question, answered_by="model.inspection.shares:shares_of"):
    """How much of each step comes from the source, how much from the prefix; answered by `SourceShares`."""


class Partial:
    """Part of an answer that grows: given on while the rest is worked out.

    Attributes:
        answer: what there is so far.
    """

    def __init__(self, answer: object) -> None:
        self.answer = answer
