"""The window's questions about a reading, answered by a real model."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from model.questions.answers import RowArithmetic, Stages
from model.questions.head_questions import CorpusHeads
from model.questions.questions import Question, Reading, RowOf, StagesOf, WalkOf
from model.trace.trace import AttentionKind, Trace
from model.translator.translator import Translator
from viewer.document.messages.messages import Answered, Ask, Request
from viewer.document.messages.training_messages import Train
from viewer.engine.context import JobContext
from viewer.engine.question_jobs import ask
from viewer.engine.training_tools import LibraryTools
from viewer.engine.translator_source import TranslatorSource
from viewer.engine.worker import job_of


def context_of(bundle: Path) -> JobContext:
    """Where the job of a question finds the model."""
    return JobContext(
        lambda path: pytest.fail("loads no model"),
        LibraryTools(),
        1,
        model=TranslatorSource(Translator.load(bundle)),
    )


@pytest.fixture(scope="module")
def context(tiny_bundle: Path) -> JobContext:
    return context_of(tiny_bundle)


def told(context: JobContext, question: Question, trace: Trace) -> list[object]:
    return list(ask(Ask(7, question, Reading.of(trace)), context))


def test_the_answer_is_about_what_was_decoded(context: JobContext, tiny_trace: Trace) -> None:
    *_, last = told(context, RowOf(AttentionKind.CROSS, 1, 2, 3), tiny_trace)
    assert isinstance(last, Answered)
    assert isinstance(last.answer, RowArithmetic)

    recorded = tiny_trace.pattern(AttentionKind.CROSS, 1, 2)[3]
    np.testing.assert_allclose(last.answer.pattern, recorded, atol=1e-5)


def test_the_model_remembers_what_it_computed(tiny_bundle: Path, tiny_trace: Trace) -> None:
    context = context_of(tiny_bundle)
    first = told(context, RowOf(AttentionKind.CROSS, 1, 2, 3), tiny_trace)
    assert first[:-1] == [None] * 5  # a place to be interrupted after each layer

    for question in (StagesOf(AttentionKind.ENCODER_SELF, 0, 1), WalkOf("target", 2)):
        (only,) = told(context, question, tiny_trace)
        assert isinstance(only, Answered)
        if isinstance(only.answer, Stages):
            recorded = tiny_trace.pattern(AttentionKind.ENCODER_SELF, 0, 1)
            np.testing.assert_allclose(only.answer.pattern, recorded, atol=1e-5)


def test_long_questions_share_their_time_with_one_another_and_with_training(context: JobContext) -> None:
    def shares(request: Request) -> bool:
        return job_of(request, context, threading.Event()).shares

    long = Ask(1, CorpusHeads("pairs.tsv"))
    assert shares(long)
    assert not shares(Ask(2, WalkOf("target", 2)))
    assert Train.priority is long.priority
