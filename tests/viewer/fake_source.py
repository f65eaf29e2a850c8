"""A model made of numpy: traces of known numbers, one token a yield, as slow as a test wants."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import numpy as np

from model.errors import HeadscopeError
from model.trace import ArrayPatterns, AttentionKind, Trace
from viewer.engine.source import Decoded
from viewer.state.messages import Decode, ModelInfo, PiecesSplit, SplitText

LAYERS, HEADS = 2, 3
SHOWCASE = {"kind": "cross", "layer": 1, "head": 2}


def small_trace(
    steps: int = 3,
    source: tuple[str, ...] = ("▁a", "▁b", "</s>"),
    *,
    encoder: bool = True,
    finished: bool = True,
) -> Trace:
    """Every row of every pattern is uniform over what may be attended to."""
    s = len(source)
    arrays = {
        AttentionKind.DECODER_SELF: np.tril(np.ones((LAYERS, HEADS, steps, steps), np.float32)),
        AttentionKind.CROSS: np.ones((LAYERS, HEADS, steps, s), np.float32),
    }
    if encoder:
        arrays[AttentionKind.ENCODER_SELF] = np.ones((LAYERS + 1, HEADS, s, s), np.float32)
    patterns = {kind: weights / weights.sum(-1, keepdims=True) for kind, weights in arrays.items()}
    out = tuple(f"▁t{i}" for i in range(steps))
    return Trace(
        patterns=ArrayPatterns(patterns),
        src_text="a b",
        tgt_text=" ".join(out),
        src_tokens=source,
        tgt_in_tokens=("<s>", *out)[:steps],
        tgt_out_tokens=out,
        src_ids=np.arange(s, dtype=np.int64),
        tgt_in_ids=np.arange(steps, dtype=np.int64),
        tgt_out_ids=np.arange(steps, dtype=np.int64) + 1,
        step_logprob=np.full(steps, -0.5, np.float32),
        candidate_ids=np.zeros((steps, 2), np.int64),
        candidate_logprobs=np.full((steps, 2), -0.5, np.float32),
        candidate_tokens=(("▁t", "▁u"),) * steps,
        model_name="fake",
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
    """See `viewer.engine.source.ModelSource`.

    Args:
        steps: tokens of every translation.
        finished: whether the end token comes, or the length limit.
        before_step: called in the worker's thread before each token; may block or raise.
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

    def info(self) -> ModelInfo:
        return small_info(self.path)

    def split(self, request: SplitText) -> PiecesSplit:
        pieces = tuple(request.text.split())
        return PiecesSplit(request.job, request.text, pieces, len(pieces) + 1, 100)

    def decode(self, request: Decode) -> Iterator[Decoded]:
        self.threads.add(threading.get_ident())
        if not request.text:
            raise HeadscopeError("token_id", id=1, vocab=1)
        try:
            for step in range(self.steps + 1):
                self.before_step(step)
                yield Decoded(small_trace(step, finished=self.finished and step == self.steps))
        finally:
            self.tidied.set()
