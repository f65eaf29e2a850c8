"""What crosses the thread between window and engine: frozen requests in, frozen results out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from model.trace import Trace

# Requests. Every request carries the job id that its answers carry too.


@dataclass(frozen=True)
class OpenModel:
    """Load a bundle folder and make it the current model."""

    job: int
    path: str


@dataclass(frozen=True)
class Decode:
    """Translate a text with the current model, every pattern recorded.

    Attributes:
        decoding: `{"mode": "greedy" | "beam" | "sample" | "forced", ...}` as in a trace's header:
            beam_size, length_penalty, temperature, top_k, top_p, seed, target.
    """

    job: int
    text: str
    decoding: dict[str, Any] = field(default_factory=lambda: {"mode": "greedy"})
    candidates: int = 10
    max_length: int | None = None


@dataclass(frozen=True)
class SplitText:
    """Pieces of a text that is being typed, with the current model's source tokenizer."""

    job: int
    text: str


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


@dataclass(frozen=True, eq=False)
class TraceGrew:
    """One more token: the trace up to it. The first has no token yet, only the encoder's patterns."""

    job: int
    trace: Trace


@dataclass(frozen=True, eq=False)
class TraceDone:
    """The decoding ended; `note` is a sentence for the user (length limit reached, ...) or empty."""

    job: int
    trace: Trace
    note: str = ""


@dataclass(frozen=True)
class PiecesSplit:
    """Raw pieces of the text typed so far and how many tokens the model would read."""

    job: int
    text: str
    pieces: tuple[str, ...]
    tokens: int
    limit: int


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
