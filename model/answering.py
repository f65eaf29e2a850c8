"""Answers the questions of `model.questions`: finds what works each out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from model.errors import HeadscopeError
from model.head_questions import CorpusHeads, TraceAer, TraceHeads
from model.questions import (
    EmbeddingOf,
    GradientOf,
    Partial,
    Question,
    Reading,
    RowOf,
    SharesOf,
    StagesOf,
    ValueNorms,
    WalkOf,
)
from model.sentence_list import FileSentences
from model.two_sentences import TwoSentences

if TYPE_CHECKING:
    from model.bundle import Bundle
    from model.foreign.foreign_model import ForeignModel
    from model.inspection.readings import Readings

OF_A_READING = (
    RowOf,
    StagesOf,
    EmbeddingOf,
    WalkOf,
    ValueNorms,
    GradientOf,
    SharesOf,
)
"""Questions about what a model computes while it reads; see `model.inspection`."""


def answer_alone(question: Question) -> Iterator[tuple[int, int] | Partial | object]:
    """Answer a question that needs no model; see `answer`."""
    if isinstance(question, TraceHeads):
        from model.head_scores import score_trace

        return score_trace(question.trace)
    if isinstance(question, TraceAer):
        from model.head_alignment import aer_of_trace

        return iter([aer_of_trace(question.trace, question.gold, question.rule)])
    raise TypeError(f"nobody answers a {type(question).__name__}")


def answer(
    model: Bundle | ForeignModel,
    question: Question,
    reading: Reading | None,
    readings: Readings | None = None,
) -> Iterator[tuple[int, int] | Partial | object]:
    """Answer a question of a model.

    Args:
        readings: those of a bundle, kept by whoever asks more than once.

    Yields:
        Progress (done, total) and `Partial` answers in between, None where it may be interrupted; at last
        the answer.

    Raises:
        HeadscopeError: it cannot be answered; `source_cannot` where that takes a look into the computation of
            a model that is not our own.
        TypeError: nobody answers such a question.
    """
    from model.bundle import Bundle

    if isinstance(question, FileSentences):
        from model.sentences import translate_file

        return translate_file(model, question)
    if not isinstance(model, Bundle):
        if isinstance(question, CorpusHeads):
            from model.foreign.head_corpus import score_foreign_corpus

            return score_foreign_corpus(model, question)
        raise HeadscopeError("source_cannot", name=model.name)
    if isinstance(question, CorpusHeads):
        from model.head_corpus import score_corpus

        return score_corpus(model, question)
    return _of_readings(model, question, reading, readings)


def _of_readings(
    bundle: Bundle, question: Question, reading: Reading | None, readings: Readings | None
) -> Iterator[tuple[int, int] | Partial | object]:
    from model.inspection.readings import Readings

    kept = Readings(bundle) if readings is None else readings
    if isinstance(question, TwoSentences):
        from model.inspection.two_sentences import two_readings

        return two_readings(kept, question)
    if isinstance(question, OF_A_READING) and reading is not None:
        from model.inspection.reading_answers import answer_reading

        return answer_reading(kept, question, reading)
    raise TypeError(f"nobody answers a {type(question).__name__}")
