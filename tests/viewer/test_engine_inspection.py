"""The window's questions about a reading, answered by a real model."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from model.inspection.answers import RowArithmetic, Stages
from model.questions import Question, Reading, RowOf, StagesOf, WalkOf
from model.trace import AttentionKind, Trace
from model.translator import Translator
from viewer.engine.asking_jobs import ask
from viewer.engine.jobs import Desk, job_of
from viewer.engine.source import ModelSource
from viewer.engine.translator_source import TranslatorSource
from viewer.state.messages import Answered, Ask, AskLong, Request
from viewer.state.training_messages import Train


class OneModelDesk:
    """Where the job of a question finds the model."""

    def __init__(self, bundle: Path) -> None:
        self.model: ModelSource | None = TranslatorSource(Translator.load(bundle))


@pytest.fixture(scope="module")
def desk(tiny_bundle: Path) -> OneModelDesk:
    return OneModelDesk(tiny_bundle)


def told(desk: OneModelDesk, question: Question, trace: Trace) -> list[object]:
    return list(ask(Ask(7, question, Reading.of(trace)), desk))


def test_the_answer_is_about_what_was_decoded(desk: OneModelDesk, tiny_trace: Trace) -> None:
    *_, last = told(desk, RowOf(AttentionKind.CROSS, 1, 2, 3), tiny_trace)
    assert isinstance(last, Answered)
    assert isinstance(last.answer, RowArithmetic)

    recorded = tiny_trace.pattern(AttentionKind.CROSS, 1, 2)[3]
    np.testing.assert_allclose(last.answer.pattern, recorded, atol=1e-5)


def test_the_model_remembers_what_it_computed(tiny_bundle: Path, tiny_trace: Trace) -> None:
    desk = OneModelDesk(tiny_bundle)
    first = told(desk, RowOf(AttentionKind.CROSS, 1, 2, 3), tiny_trace)
    assert first[:-1] == [None] * 5  # a place to be interrupted after each layer

    for question in (StagesOf(AttentionKind.ENCODER_SELF, 0, 1), WalkOf("target", 2)):
        (only,) = told(desk, question, tiny_trace)
        assert isinstance(only, Answered)
        if isinstance(only.answer, Stages):
            recorded = tiny_trace.pattern(AttentionKind.ENCODER_SELF, 0, 1)
            np.testing.assert_allclose(only.answer.pattern, recorded, atol=1e-5)


def test_long_questions_share_their_time_with_one_another_and_with_training(desk: OneModelDesk) -> None:
    def shares(request: Request) -> bool:
        return job_of(request, cast(Desk, desk), threading.Event()).shares

    assert shares(AskLong(1, WalkOf("target", 2)))
    assert not shares(Ask(2, WalkOf("target", 2)))
    assert Train.priority is AskLong.priority
