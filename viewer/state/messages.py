"""What crosses the thread between window and engine: frozen requests in, frozen results out."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from model.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.trace import Trace
from viewer.state.notice import Notice


class Priority(IntEnum):
    """Which job the worker goes on with after a yield: the lowest number first."""

    INSTANT = 0
    INTERACTIVE = 1
    READING = 2
    BACKGROUND = 3


# Requests.


@dataclass(frozen=True)
class Request:
    """A job to do.

    Attributes:
        job: its id, from `Engine.new_job`; every answer carries it.
        priority: how urgent jobs of this type are.
        latest_wins: a newer request of the same type cancels this one.
    """

    priority: ClassVar[Priority] = Priority.INTERACTIVE
    latest_wins: ClassVar[bool] = True

    job: int


@dataclass(frozen=True)
class OpenModel(Request):
    """Load a bundle folder and make it the current model."""

    # Before any sentence that waits for it.
    priority = Priority.INSTANT

    path: str


@dataclass(frozen=True)
class Decode(Request):
    """Translate a text with the current model, every pattern recorded.

    Attributes:
        any_script: let a text pass that is written as the model's source language never is.
    """

    text: str
    config: DecodeConfig = field(default_factory=DecodeConfig)
    any_script: bool = False


@dataclass(frozen=True)
class SplitText(Request):
    """Pieces of a text that is being typed, with the current model's source tokenizer."""

    # Typing goes on while a sentence is decoded.
    priority = Priority.INSTANT

    text: str


@dataclass(frozen=True)
class PauseJob:
    """Stop giving time to a job, or start again; it keeps its place in the queue."""

    job: int
    paused: bool


# Results.


@dataclass(frozen=True, eq=False)
class ModelInfo:
    """What the window says of a model; `positions` is its encoding [max_positions, d_model] or None."""

    path: str
    name: str
    languages: tuple[str, str]
    architecture: dict[str, Any]
    parameters: int
    sha256: str
    showcase: dict[str, Any] | None
    positions: npt.NDArray[np.float32] | None
    card: str = ""


@dataclass(frozen=True, eq=False)
class ModelOpened:
    """A model is ready."""

    job: int
    info: ModelInfo


@dataclass(frozen=True)
class Considered:
    """A hypothesis that a step of a beam search considered; see `model.beam.Hypothesis`.

    Attributes:
        id, parent: unique in the search; 0 is the start token alone.
        step: the row that predicted the token.
        piece: the raw piece of `token`, an id.
        score: sum of `logprob` over all its tokens; `rank_score` the same normalised for its length.
        fate: `kept`, `finished`, `cut` (by the length limit) or `pruned`.
    """

    id: int
    parent: int | None
    step: int
    token: int
    piece: str
    logprob: float
    score: float
    rank_score: float
    fate: str


@dataclass(frozen=True, eq=False)
class TraceGrew:
    """One more token: the trace up to it. The first may have no token yet, only the encoder's patterns.

    Attributes:
        trace: in a beam search that of the best hypothesis so far.
        considered: in a beam search all that the step considered, else nothing.
    """

    job: int
    trace: Trace
    considered: tuple[Considered, ...] = ()


@dataclass(frozen=True, eq=False)
class TraceDone:
    """The decoding ended.

    Attributes:
        note: what the user should know of it (length limit reached), if anything.
        n_best: in a beam search the traces of the best hypotheses, best first.
    """

    job: int
    trace: Trace
    note: Notice | None = None
    n_best: tuple[Trace, ...] = ()


@dataclass(frozen=True)
class PiecesSplit:
    """Raw pieces of the text typed so far and how many tokens the model would read.

    Attributes:
        tokens: the pieces and the end token.
        limit: the most tokens the model can read.
        unknown: how many of the pieces the model knows nothing of.
    """

    job: int
    text: str
    pieces: tuple[str, ...]
    tokens: int
    limit: int
    unknown: int = 0


@dataclass(frozen=True)
class Progress:
    """Coalesced progress of a job: `done` of `total` (0 = unknown)."""

    job: int
    what: str
    done: int
    total: int


@dataclass(frozen=True, eq=False)
class JobFailed:
    """A job ended with an error the user should read."""

    job: int
    error: HeadscopeError


@dataclass(frozen=True)
class JobCancelled:
    """A job was cancelled."""

    job: int


Result = ModelOpened | TraceGrew | TraceDone | PiecesSplit | Progress | JobFailed | JobCancelled
"""Anything that the worker answers."""

LAST_RESULTS = (ModelOpened, TraceDone, PiecesSplit, JobFailed, JobCancelled)
"""A job's answer of one of these types is its last."""
