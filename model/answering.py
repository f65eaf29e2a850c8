"""Answers the questions of `model.questions`: finds what works each out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

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
    bundle: Bundle, question: Question, reading: Reading | None, readings: Readings | None = None
) -> Iterator[tuple[int, int] | Partial | object]:
    """Answer a question of a model.

    Args:
        readings: the bundle's, kept by whoever asks more than once.

    Yields:
        Progress (done, total) and `Partial` answers in between, None where it may be interrupted; at last
        the answer.

    Raises:
        HeadscopeError: it cannot be answered.
        TypeError: nobody answers such a question.
    """
    if isinstance(question, FileSentences):
        from model.sentences import translate_file

        return translate_file(bundle, question)
    if isinstance(question, CorpusHeads):
        from model.head_corpus import score_corpus

        return score_corpus(bundle, question)
    if isinstance(question, TwoSentences):
        from model.inspection.readings import Readings
        from model.inspection.two_sentences import two_readings

        return two_readings(Readings(bundle) if readings is None else readings, question)
    if isinstance(question, OF_A_READING) and reading is not None:
        from model.inspection.reading_answers import answer_reading
        from model.inspection.readings import Readings

        return answer_reading(Readings(bundle) if readings is None else readings, question, reading)
    raise TypeError(f"nobody answers a {type(question).__name__}")
