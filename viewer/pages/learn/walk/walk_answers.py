"""Walk answers: what the layer walk has to know of the model, asked for as it is needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from model.errors import HeadscopeError
from model.questions.answers import EmbeddingSum, RowArithmetic, Walk
from model.questions.questions import EmbeddingOf, Question, Reading, RowOf, WalkOf
from model.trace.trace import AttentionKind, Side, Trace
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.figures.walk.stages import Stage

ENTRANCE = ("embedding", "position", "sum")
_TOPIC = "walk"


@dataclass(frozen=True, eq=False)
class Known:
    """What is known by now.

    Attributes:
        problem: why there is no walk; None while it is awaited or there.
        question: the one that came to nothing.
    """

    walk: Walk | None = None
    other: Walk | None = None
    embedding: EmbeddingSum | None = None
    row: RowArithmetic | None = None
    problem: Notice | None = None
    question: Question | None = None
    reading: Reading | None = None


def ask(session: Session, trace: Trace, side: Side, positions: tuple[int, int], stage: Stage | None) -> Known:
    """Ask for a walk and what the stage in view needs besides, and take what is there.

    Args:
        positions: the source token and the target step.
        stage: the one in view; None for the decoder's last word.
    """
    try:
        reading = Reading.of(trace)
    except HeadscopeError as error:
        return Known(problem=Notice.of(error))
    answers = session.answers
    own = WalkOf(side, positions[0] if side == "source" else positions[1])
    walk = cast("Walk | None", answers.ask(own, reading, topic=_TOPIC))
    if walk is None:
        problem = answers.state(own, reading).problem
        return Known(problem=problem, question=own, reading=reading)
    other: Walk | None = None
    across: Side = "target" if side == "source" else "source"
    if across == "source" or trace.steps:
        question = WalkOf(across, positions[0] if across == "source" else positions[1])
        other = answers.ask(question, reading, topic=f"{_TOPIC} {across}")
    embedding, row = None, None
    if stage is not None and stage.stage in ENTRANCE:
        embedding = answers.ask(EmbeddingOf(side), reading, topic=f"{_TOPIC} embedding")
    elif stage is not None and stage.stage in ("self_attention", "cross") and stage.layer is not None:
        heads = RowOf(kind_of(side, stage), stage.layer, 0, own.position)
        row = answers.ask(heads, reading, topic=f"{_TOPIC} row")
    return Known(walk, other, embedding, row, question=own, reading=reading)


def kind_of(side: Side, stage: Stage) -> AttentionKind:
    """The kind of an attention sub-layer."""
    if stage.sublayer == "cross":
        return AttentionKind.CROSS
    return AttentionKind.ENCODER_SELF if side == "source" else AttentionKind.DECODER_SELF
