"""Where traces come from: our Transformer today, other models' later, all behind one Protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from model.trace import Trace
from viewer.state.messages import Decode, ModelInfo, PiecesSplit, SplitText


class ModelSource(Protocol):
    """A loaded model, used only in the worker's thread."""

    def info(self) -> ModelInfo:
        """What the window says of the model."""

    def split(self, request: SplitText) -> PiecesSplit:
        """The pieces of a text that is being typed; never an error, an empty text has none."""

    def decode(self, request: Decode) -> Iterator[Trace]:
        """The trace as it grows, one yield a token; the last is the whole one.

        A trace whose last state is not `finished` was stopped by the length limit.

        Raises:
            HeadscopeError: the text is empty, too long, or the request makes no sense; on the first `next`.
        """


LoadModel = Callable[[str], ModelSource]
"""Loads the model at a path; called in the worker's thread. Raises `HeadscopeError`."""
