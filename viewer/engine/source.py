"""Where traces come from: our Transformer today, other models' later, all behind one Protocol."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Protocol

from model.trace import Floats, Trace
from viewer.state.exploring import Considered, Importance, OrderExperiment
from viewer.state.messages import (
    Ask,
    Decode,
    LookAtHypothesis,
    MeasureHeads,
    ModelInfo,
    PiecesSplit,
    SplitText,
    TryOrders,
)


@dataclass(frozen=True, eq=False)
class Decoded:
    """What a decoding has come to after one more token; fields as in `TraceGrew` and `TraceDone`.

    Attributes:
        done: this is the last.
    """

    trace: Trace
    considered: tuple[Considered, ...] = ()
    n_best: tuple[Trace, ...] = ()
    held: Floats | None = None
    done: bool = False


class ModelSource(Protocol):
    """A loaded model, used only in the worker's thread.

    One that cannot do what it is asked (be changed, go on from a prefix) raises `source_cannot`. Where an
    iterator may yield None, that is a place to be interrupted at, with nothing to tell.
    """

    def info(self) -> ModelInfo:
        """What the window says of the model."""

    def split(self, request: SplitText) -> PiecesSplit:
        """The pieces of a text that is being typed; never an error, an empty text has none."""

    def decode(self, request: Decode) -> Iterator[Decoded | None]:
        """The trace as it grows, one yield a token; the last is `done`.

        If the last trace is not `finished`, the length limit has stopped it.

        Raises:
            HeadscopeError: the text is empty, too long, or the request makes no sense; on the first `next`.
        """

    def hypothesis(self, request: LookAtHypothesis) -> Iterator[Decoded | None]:
        """The trace of a hypothesis; the last is `done`, others are beginnings of it."""

    def measure(self, request: MeasureHeads) -> Iterator[tuple[int, int] | Importance]:
        """How many heads of how many are measured, and last what they are worth."""

    def answer(self, request: Ask) -> Iterator[object]:
        """Progress and partial answers, and last the answer; see `model.answering.answer`."""

    def orders(self, request: TryOrders) -> Iterator[tuple[int, int] | OrderExperiment]:
        """How many readings of how many are done, and last what came out."""


LoadModel = Callable[[str], Generator[tuple[int, int], None, ModelSource]]
"""Loads the model at a path, in the worker's thread. Yields bytes of weights loaded, of how many ((0, 0) if
not known), and may be left at every yield. Raises `HeadscopeError`, on the first `next` or later."""
