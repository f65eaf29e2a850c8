"""Messages: what crosses the thread between window and engine: frozen requests in, frozen results out."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from model.abilities import ALL_ABILITIES, Ability
from model.alterations.alteration import Alteration
from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.positions.position_facts import PositionFacts
from model.questions.questions import Question, Reading
from model.tokens.words import TokenStyle
from model.trace.trace import Floats, Trace
from viewer.document.messages.considered import Considered
from viewer.document.messages.notice import Notice


class Priority(IntEnum):
    """Which job the worker goes on with after a yield: the lowest number first."""

    INSTANT = 0
    OPENING = 1
    INTERACTIVE = 2
    READING = 3
    BACKGROUND = 4


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
    priority = Priority.OPENING

    path: str


@dataclass(frozen=True)
class Decode(Request):
    """Translate a text with the current model, every pattern recorded.

    Attributes:
        any_script: let a text pass that is written as the model's source language never is.
        run: the run that this becomes; what computed it is kept under this name for branches.
        parent: the run to go on from: the tokens it shares with the prefix are taken over, not computed,
            if what computed it is still kept and was changed in the same ways.
        alterations: what is changed in the model's computation.
        held_ids: the untouched translation; `TraceDone.held` tells what the changed model thinks of it.
        pace: least seconds from one token to the next; 0 goes as fast as it can, infinity pauses after each.
    """

    text: str
    config: DecodeConfig = field(default_factory=DecodeConfig)
    any_script: bool = False
    run: str = ""
    parent: str = ""
    alterations: tuple[Alteration, ...] = ()
    held_ids: tuple[int, ...] = ()
    pace: float = 0.0


@dataclass(frozen=True)
class DecodeSample(Decode):
    """One of several translations drawn for one sentence: a newer one does not cancel the older."""

    latest_wins = False


@dataclass(frozen=True)
class DecodeAltered(Decode):
    """The translation of a changed model, anew at every change."""


@dataclass(frozen=True)
class TraceHypothesis(Request):
    """The trace of one hypothesis of a beam search, kept or dropped; answered by `TraceDone`.

    Attributes:
        search: the run of the search. If what computed it is no longer kept, the tokens are read again.
        hypothesis: its id.
        tokens: all its tokens.
        alterations: those of the search.
    """

    latest_wins = False

    text: str
    config: DecodeConfig
    search: str
    hypothesis: int
    tokens: tuple[int, ...]
    alterations: tuple[Alteration, ...] = ()


@dataclass(frozen=True)
class Ask(Request):
    """A question beyond a translation: `JobProgress` and `AnswerGrew`, then `Answered`.

    Attributes:
        reading: what it is about; None for a question of its own.
    """

    latest_wins = False

    question: Question
    reading: Reading | None = None

    @property
    def priority(self) -> Priority:  # type: ignore[override]
        """As urgent as the question."""
        return Priority[self.question.urgency.upper()]


@dataclass(frozen=True)
class SplitText(Request):
    """Pieces of a text that is being typed, with the current model's source tokenizer."""

    # Typing goes on while a sentence is decoded.
    priority = Priority.INSTANT

    text: str


@dataclass(frozen=True)
class JobMessage:
    """Something to be told to a job that goes on; no job itself."""

    job: int


@dataclass(frozen=True)
class PauseJob(JobMessage):
    """Stop giving time to a job, or start again; it keeps its place in the queue."""

    paused: bool


@dataclass(frozen=True)
class PaceJob(JobMessage):
    """Change the pace of a decoding that goes on, from its next token on; see `Decode.pace`."""

    pace: float


@dataclass(frozen=True)
class UseThreads(JobMessage):
    """Compute with so many processor threads from now on; told to no job but to all (`job` is 0)."""

    threads: int


# Results.


@dataclass(frozen=True, eq=False)
class ModelInfo:
    """What the window says of a model.

    Attributes:
        languages: of source and target; `und` where nobody knows.
        positions: the encoding that is added to both stacks, [max_positions, d_model]; None where there is
            none or it is something else.
        family: `encoder_decoder`, `decoder_only` or `encoder_only`.
        verified: whether the pictures of this architecture are proven; False shows a badge.
        can: what may be asked of it.
        position_facts: what it knows of positions, as what it is.
        token_style: how its tokenizer writes pieces.
        model_type: `headscope`, `marian`, or as Hugging Face calls it.
    """

    path: str
    name: str
    languages: tuple[str, str]
    architecture: dict[str, Any]
    parameters: int
    sha256: str
    showcase: dict[str, Any] | None
    positions: npt.NDArray[np.float32] | None
    card: str = ""
    card_zh: str = ""
    family: str = "encoder_decoder"
    verified: bool = True
    can: frozenset[Ability] = ALL_ABILITIES
    position_facts: tuple[PositionFacts, ...] = ()
    token_style: TokenStyle = TokenStyle.SENTENCEPIECE
    model_type: str = "headscope"


@dataclass(frozen=True, eq=False)
class ModelOpened:
    """A model is ready."""

    job: int
    info: ModelInfo


@dataclass(frozen=True, eq=False)
class TraceGrew:
    """One more token: the trace up to it. The first may have no token yet, only the encoder's patterns.

    Attributes:
        trace: in a beam search that of the best hypothesis so far.
        considered: in a beam search all that the step considered, else nothing.
        paused: the decoding is paused now until `Engine.resume`, because its pace is infinite.
        followed: a newer one is there already: the window was held up, and this one need not be drawn.
    """

    job: int
    trace: Trace
    considered: tuple[Considered, ...] = ()
    paused: bool = False
    followed: bool = False


@dataclass(frozen=True, eq=False)
class TraceDone:
    """The decoding ended.

    Attributes:
        note: what the user should know of it (length limit reached), if anything.
        n_best: in a beam search the traces of the best hypotheses, best first.
        considered: in a beam search all that the last step considered.
        held: float32 [held ids] natural log probabilities of `Decode.held_ids`; None if none were given.
    """

    job: int
    trace: Trace
    note: Notice | None = None
    n_best: tuple[Trace, ...] = ()
    considered: tuple[Considered, ...] = ()
    held: Floats | None = None


@dataclass(frozen=True, eq=False)
class AnswerGrew:
    """What there is so far of an answer that takes long."""

    job: int
    question: Question
    reading: Reading | None
    answer: Any


@dataclass(frozen=True, eq=False)
class Answered:
    """The answer to an `Ask`; of which type, its question says."""

    job: int
    question: Question
    reading: Reading | None
    answer: Any


@dataclass(frozen=True)
class PiecesSplit:
    """Raw pieces of the text typed so far and how many tokens the model would read.

    Attributes:
        tokens: the pieces and the end token.
        limit: the most tokens the model can read.
        unknown: how many of the pieces the model knows nothing of.
        style: how the pieces are written.
    """

    job: int
    text: str
    pieces: tuple[str, ...]
    tokens: int
    limit: int
    unknown: int = 0
    style: TokenStyle = TokenStyle.SENTENCEPIECE


@dataclass(frozen=True)
class JobProgress:
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


Result = (
    ModelOpened
    | TraceGrew
    | TraceDone
    | AnswerGrew
    | Answered
    | PiecesSplit
    | JobProgress
    | JobFailed
    | JobCancelled
)
"""Anything that the worker answers."""

LAST_RESULTS = (
    ModelOpened,
    TraceDone,
    Answered,
    PiecesSplit,
    JobFailed,
    JobCancelled,
)
"""A job's answer of one of these types is its last."""
