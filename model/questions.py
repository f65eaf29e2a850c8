"""Questions to a model beyond a translation: what was computed where, and what heads do. Frozen, no torch.

The window asks them through `viewer.state.answers`; `model.answering` answers them. A question and the
`Reading` that it is about are hashable: together they are the key under which an answer is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np

from model.alterations import Alteration, from_json
from model.trace import AttentionKind, Trace

Side = Literal["source", "target"]


@dataclass(frozen=True)
class Reading:
    """A source and a translation of it, read token by token by a model (teacher forcing).

    Attributes:
        model_sha256: which model.
        src_ids: all that the encoder reads, the end token included.
        out_ids: what was produced; the decoder reads the start token and all of these but the last.
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
        )


def _recorded(trace: Trace) -> tuple[float, ...]:
    """The log probabilities of a trace; empty if it has none, which is written as zeros."""
    logprobs = trace.step_logprob
    return tuple(map(float, logprobs)) if logprobs.any() and np.isfinite(logprobs).all() else ()


def _without_order(alterations: tuple[Mapping[str, Any], ...]) -> tuple[Alteration, ...]:
    return tuple(from_json(change) for change in alterations if change.get("type") != "reorder")


@dataclass(frozen=True)
class Question:
    """Asked of a model (about a `Reading`, or of none), or of numbers that need no model.

    Attributes:
        background: it takes long: anything else goes first.
        needs_model: it is answered by the model in use, which must be that of the reading, if there is one.
        kept: its answer is kept while there is room.
    """

    background: ClassVar[bool] = False
    needs_model: ClassVar[bool] = True
    kept: ClassVar[bool] = True


@dataclass(frozen=True)
class RowOf(Question):
    """One row of one head, from query and keys to its output; answered by `RowArithmetic`."""

    kind: AttentionKind
    layer: int
    head: int
    query: int


@dataclass(frozen=True)
class StagesOf(Question):
    """A head's scores before and after each stage of the softmax; answered by `Stages`."""

    kind: AttentionKind
    layer: int
    head: int


@dataclass(frozen=True)
class EmbeddingOf(Question):
    """What enters a stack; answered by `EmbeddingSum`."""

    side: Side


@dataclass(frozen=True)
class WalkOf(Question):
    """A position on its way through a stack; answered by `Walk`."""

    side: Side
    position: int


@dataclass(frozen=True)
class ValueNorms(Question):
    """How long the value vectors are that weights mix (arXiv 2004.10102); answered by `ValueGrams`."""


@dataclass(frozen=True)
class GradientOf(Question):
    """How the log probability of a step's token changes with each weight; answered by `Gradients`."""

    step: int


@dataclass(frozen=True)
class SharesOf(Question):
    """How much of each step comes from the source, how much from the prefix; answered by `SourceShares`."""


class Partial:
    """Part of an answer that grows: given on while the rest is worked out.

    Attributes:
        answer: what there is so far.
    """

    def __init__(self, answer: object) -> None:
        self.answer = answer
