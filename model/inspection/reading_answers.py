"""Answers the questions that are about a reading; see `model.answering.answer`."""

from __future__ import annotations

from collections.abc import Iterator

from model.inspection.readings import Readings
from model.questions import (
    EmbeddingOf,
    GradientOf,
    Question,
    Reading,
    RowOf,
    SharesOf,
    StagesOf,
    ValueNorms,
    WalkOf,
)


def answer_reading(readings: Readings, question: Question, reading: Reading) -> Iterator[object]:
    """Yields None, a place to be interrupted, while something is worked out; at last the answer.

    Raises:
        HeadscopeError: it cannot be answered, or not by this model.
        TypeError: nobody answers such a question.
    """
    if reading.logprobs:
        from model.inspection.same_model import check_same_model

        yield from check_same_model(readings, reading)
    if isinstance(question, RowOf):
        from model.inspection.arithmetic import row_of

        yield (yield from row_of(readings, question, reading))
    elif isinstance(question, StagesOf):
        from model.inspection.arithmetic import stages_of

        yield (yield from stages_of(readings, question, reading))
    elif isinstance(question, EmbeddingOf):
        from model.inspection.walk import embedding_of

        yield embedding_of(readings, question, reading)
    elif isinstance(question, WalkOf):
        from model.inspection.walk import walk_of

        yield (yield from walk_of(readings, question, reading))
    elif isinstance(question, ValueNorms):
        from model.inspection.value_norms import grams_of

        yield (yield from grams_of(readings, reading))
    elif isinstance(question, GradientOf):
        from model.inspection.gradients import gradients_of

        yield (yield from gradients_of(readings, question, reading))
    elif isinstance(question, SharesOf):
        from model.inspection.shares import shares_of

        yield (yield from shares_of(readings, reading))
    else:
        raise TypeError(f"nobody answers a {type(question).__name__}")
