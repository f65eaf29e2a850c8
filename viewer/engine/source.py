"""Source of traces: our Transformer or a model of others, behind one Protocol."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Protocol

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


class ModelSource(Protocol):
    """A loaded model, used only in the worker's thread.

    One that cannot do what it is asked (be changed, go on from a prefix) raises `source_cannot`. Where an
    iterator may yield None, that is a place to be interrupted at, with nothing to tell.
    """

    def info(self) -> ModelInfo:
        """What the window says of the model."""

    def split(self, request: SplitText) -> PiecesSplit:
        """The pieces of a text that is being typed; never an error, an empty text has none."""

    def decode(self, request: Decode) -> Iterator[TraceGrew | TraceDone | None]:
        """The trace as it grows, one yield a token; the last of them alone is a `TraceDone`.

        If the last trace is not `finished`, the length limit has stopped it.

        Raises:
            HeadscopeError: the text is empty, too long, or the request makes no sense; on the first `next`.
        """

    def hypothesis(self, request: TraceHypothesis) -> Iterator[TraceDone | None]:
        """The trace of a hypothesis, whole."""

    def answer(self, request: Ask) -> Iterator[object]:
        """Progress and partial answers, and last the answer; see `model.inspection.answering.answer`."""


LoadModel = Callable[[str], Generator[tuple[int, int], None, ModelSource]]
"""Loads the model at a path, in the worker's thread. Yields bytes of weights loaded, of how many ((0, 0) if
not known), and may be left at every yield. Raises `HeadscopeError`, on the first `next` or later."""
