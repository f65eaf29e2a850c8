"""A model made of numpy: traces of known numbers, one token a yield, as slow as a test wants."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from model.alterations.registry import all_to_json
from model.errors import HeadscopeError
from model.questions.importance import ImportanceOf
from model.questions.orders import OrdersOf, PiecesOf, TextPieces
from model.questions.questions import Question
from model.trace.exploration import Importance, OrderExperiment
from model.trace.trace import ArrayPatterns, AttentionKind, Trace
from viewer.document.messages.considered import Considered
from viewer.document.messages.messages import (
    Ask,
    Decode,
    ModelInfo,
    PiecesSplit,
    SplitText,
    TraceDone,
    TraceGrew,
    TraceHypothesis,
)
from viewer.engine.source import LoadModel, ModelSource

LAYERS, HEADS = 2, 3
SHOWCASE = {"kind": "cross", "layer": 1, "head": 2}


def loads(make: Callable[[str], ModelSource]) -> LoadModel:
    """How to load a model that is made in one go."""

    def load(path: str) -> Generator[tuple[int, int], None, ModelSource]:
        yield 0, 0
        return make(path)

    return load


def small_trace(
    steps: int = 3,
    source: tuple[str, ...] = ("▁a", "▁b", "</s>"),
    *,
    encoder: bool = True,
    finished: bool = True,
    ids: Sequence[int] | None = None,
    text: str = "a b",
    decoding: Mapping[str, Any] | None = None,
    alterations: tuple[Any, ...] = (),
) -> Trace:
    """Every row of every pattern is uniform over what may be attended to; token `i` is called `▁t(i - 1)`."""
    s = len(source)
    out_ids = np.arange(steps, dtype=np.int64) + 1 if ids is None else np.array(ids, np.int64)
    steps = len(out_ids)
    arrays = {
        AttentionKind.DECODER_SELF: np.tril(np.ones((LAYERS, HEADS, steps, steps), np.float32)),
        AttentionKind.CROSS: np.ones((LAYERS, HEADS, steps, s), np.float32),
    }
    if encoder:
        arrays[AttentionKind.ENCODER_SELF] = np.ones((LAYERS + 1, HEADS, s, s), np.float32)
    patterns = {kind: weights / weights.sum(-1, keepdims=True) for kind, weights in arrays.items()}
    out = tuple(f"▁t{i - 1}" for i in out_ids)
    return Trace(
        patterns=ArrayPatterns(patterns),
        src_text=text,
        tgt_text=" ".join(out),
        src_tokens=source,
        tgt_in_tokens=("<s>", *out)[:steps],
        tgt_out_tokens=out,
        src_ids=np.arange(s, dtype=np.int64),
        tgt_in_ids=np.arange(steps, dtype=np.int64),
        tgt_out_ids=out_ids,
        step_logprob=np.full(steps, -0.5, np.float32),
        candidate_ids=np.zeros((steps, 2), np.int64),
        candidate_logprobs=np.full((steps, 2), -0.5, np.float32),
        candidate_tokens=(("▁t", "▁u"),) * steps,
        model_name="fake",
        model_sha256="00",
        decoding={"mode": "greedy"} if decoding is None else decoding,
        alterations=alterations,
        finished=finished,
    )


def small_info(path: str = "fake") -> ModelInfo:
    return ModelInfo(
        path=path,
        name="fake",
        languages=("en", "fr"),
        architecture={},
        parameters=1,
        sha256="00",
        showcase=SHOWCASE,
        positions=None,
    )


class FakeSource:
    """See `viewer.engine.source.ModelSource`. Free tokens are 1, 2, 3, …, after a change 101, 102, 103, ….

    Args:
        steps: tokens of every translation.
        finished: whether the end token comes, or the length limit.
        before_step: called in the worker's thread before each token; may block or raise.

    Attributes:
        requests: all that was asked, in order.
        answers: what `answer` says, by question.
    """

    def __init__(
        self,
        path: str = "fake",
        *,
        steps: int = 3,
        finished: bool = True,
        before_step: Callable[[int], None] = lambda step: None,
    ) -> None:
        self.path, self.steps, self.finished, self.before_step = path, steps, finished, before_step
        self.threads: set[int] = set()
        self.tidied = threading.Event()
        self.requests: list[Any] = []
        self.answers: dict[Any, Any] = {}

    def info(self) -> ModelInfo:
        return small_info(self.path)

    def split(self, request: SplitText) -> PiecesSplit:
        pieces = tuple(request.text.split())
        return PiecesSplit(request.job, request.text, pieces, len(pieces) + 1, 100)

    def decode(self, request: Decode) -> Iterator[TraceGrew | TraceDone]:
        self.threads.add(threading.get_ident())
        self.requests.append(request)
        if not request.text:
            raise HeadscopeError("token_id", id=1, vocab=1)
        try:
            for step in range(self.steps + 1):
                self.before_step(step)
                done = step == self.steps
                held = np.full(len(request.held_ids), -2.0, np.float32) if request.held_ids else None
                trace = self._trace(request, step, finished=self.finished and done)
                considered = self._considered(request, step)
                if done:
                    yield TraceDone(request.job, trace, considered=considered, held=held)
                else:
                    yield TraceGrew(request.job, trace, considered)
        finally:
            self.tidied.set()

    def hypothesis(self, request: TraceHypothesis) -> Iterator[TraceDone | None]:
        self.requests.append(request)
        yield None
        decoding = request.config.to_json()
        yield TraceDone(request.job, small_trace(ids=request.tokens, text=request.text, decoding=decoding))

    def answer(self, request: Ask) -> Iterator[object]:
        """`answers` has what to say to each question that is not answered here."""
        self.requests.append(request)
        question = request.question
        if isinstance(question, ImportanceOf):
            return self._importance()
        if isinstance(question, OrdersOf):
            return self._orders(question)
        if isinstance(question, PiecesOf):
            return iter([TextPieces(question.text, tuple(question.text.split()))])
        return self._answer(question)

    def _answer(self, question: Question) -> Iterator[object]:
        self.before_step(0)
        yield (0, 1)
        yield self.answers[question]

    def _importance(self) -> Iterator[object]:
        for head in range(self.steps):
            self.before_step(head)
            yield head, self.steps
        change = {AttentionKind.CROSS: np.full((LAYERS, HEADS), -0.25, np.float32)}
        yield Importance(-1.5, change)

    def _orders(self, question: OrdersOf) -> Iterator[object]:
        if not question.text:
            raise HeadscopeError("empty_text")
        for reading in range(4):
            self.before_step(reading)
            yield reading, 4
        pieces = tuple(question.text.split())
        order = question.order or tuple(reversed(range(len(pieces))))
        yield OrderExperiment(question.text, pieces, tuple(range(len(pieces))), order, (), {}, {}, {})

    def _trace(self, request: Decode, steps: int, *, finished: bool) -> Trace:
        first = 101 if request.alterations else 1
        prefix = request.config.prefix_ids
        free = range(first + len(prefix), first + self.steps)
        return small_trace(
            ids=[*prefix, *free][:steps],
            text=request.text,
            decoding=request.config.to_json(),
            alterations=all_to_json(request.alterations),
            finished=finished,
        )

    def _considered(self, request: Decode, step: int) -> tuple[Considered, ...]:
        """Each step keeps its token, as hypothesis 2 step - 1, and drops token 50, as hypothesis 2 step."""
        if request.config.mode != "beam":
            return ()
        if step == 0:
            return (Considered(0, None, -1, 0, "<s>", 0.0, 0.0, 0.0, "kept"),)
        parent = max(0, 2 * step - 3)
        return (
            Considered(
                2 * step - 1, parent, step - 1, step, f"▁t{step - 1}", -0.5, -0.5 * step, -0.5, "kept"
            ),
            Considered(2 * step, parent, step - 1, 50, "▁t49", -2.0, -2.0, -2.0, "pruned"),
        )
