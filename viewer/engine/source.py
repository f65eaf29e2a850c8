"""Where traces come from: our Transformer today, other models' later, all behind one Protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from model.trace import Trace
from viewer.state.exploring import Considered
from viewer.state.messages import Decode, ModelInfo, PiecesSplit, SplitText


@dataclass(frozen=True, eq=False)
class Decoded:
    """What a decoding has come to after one more token; fields as in `TraceGrew` and `TraceDone`."""

    trace: Trace
    considered: tuple[Considered, ...] = ()
    n_best: tuple[Trace, ...] = ()


class ModelSource(Protocol):
    """A loaded model, used only in the worker's thread."""

    def info(self) -> ModelInfo:
        """What the window says of the model."""

    def split(self, request: SplitText) -> PiecesSplit:
        """The pieces of a text that is being typed; never an error, an empty text has none."""

    def decode(self, request: Decode) -> Iterator[Decoded]:
        """The trace as it grows, one yield a token; the last is the whole one.

        If the last is not `finished`, the length limit has stopped it.

        Raises:
            HeadscopeError: the text is empty, too long, or the request makes no sense; on the first `next`.
        """


LoadModel = Callable[[str], ModelSource]
"""Loads the model at a path; called in the worker's thread. Raises `HeadscopeError`."""
