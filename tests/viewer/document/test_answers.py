"""Questions beyond translations: asked once, answered by the engine, kept by question and reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from model.alterations.block_token import BlockToken
from model.alterations.registry import all_to_json
from model.alterations.reorder import Reorder
from model.errors import HeadscopeError
from model.questions.questions import EmbeddingOf, Question, Reading, RowOf, WalkOf
from model.trace.trace import AttentionKind
from tests.viewer.fake_source import small_info, small_trace
from tests.viewer.services.bench import FakeBench, fake_bench
from viewer.document import answers as module
from viewer.document.answers import Answers, AnswerState, size_of
from viewer.document.messages.messages import Ask, OpenModel, Priority
from viewer.document.messages.notice import Notice

ROW = RowOf(AttentionKind.CROSS, 0, 1, 2)
READING = Reading("00", (1, 2), (3, 4))


class Ears:
    """What an `Answers` said."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.wanted: list[tuple[Any, ...]] = []
        self.unwanted: list[tuple[Any, ...]] = []
        self.changed: list[tuple[Any, ...]] = []
        answers.wanted.connect(lambda *key: self.wanted.append(key))
        answers.unwanted.connect(lambda *key: self.unwanted.append(key))
        answers.changed.connect(lambda *key: self.changed.append(key))


@pytest.fixture
def ears(qtbot: QtBot) -> Ears:
    return Ears(Answers())


def test_a_question_is_asked_once_and_its_answer_kept(ears: Ears) -> None:
    answers = ears.answers

    assert answers.ask(ROW, READING) is None
    assert answers.ask(ROW, READING) is None
    assert ears.wanted == [(ROW, READING, "")]
    assert answers.state(ROW, READING) == AnswerState(waiting=True)

    answers.progress((ROW, READING), 1, 4)
    assert answers.state(ROW, READING) == AnswerState(waiting=True, done=1, total=4)
    answers.finish((ROW, READING), "answer")

    assert answers.ask(ROW, READING) == answers.get(ROW, READING) == "answer"
    assert answers.get(ROW, replace(READING, out_ids=(3,))) is None
    assert len(ears.wanted) == 1
    assert ears.changed == [(ROW, READING)] * 2
    assert answers.state(ROW, READING) == AnswerState()


def test_a_newer_question_of_a_topic_takes_the_place_of_one_that_waits(ears: Ears) -> None:
    other = replace(ROW, query=0)
    ears.answers.ask(ROW, READING, topic="row")
    ears.answers.ask(EmbeddingOf("source"), READING, topic="sum")
    ears.answers.ask(other, READING, topic="row")

    assert ears.unwanted == [(ROW, READING)]
    assert not ears.answers.state(ROW, READING).waiting
    ears.answers.finish((other, READING), "there")
    ears.answers.ask(ROW, READING, topic="row")
    assert ears.answers.get(other, READING) == "there"
    assert ears.unwanted == [(ROW, READING)]


def test_what_failed_is_asked_again_only_when_told_or_for_another_model(ears: Ears) -> None:
    answers = ears.answers
    answers.ask(ROW, READING)
    answers.fail((ROW, READING), Notice("no_model", level="error"))
    answers.ask(ROW, READING)
    assert len(ears.wanted) == 1
    problem = answers.state(ROW, READING).problem
    assert problem is not None
    assert problem.code == "no_model"

    answers.retry(ROW, READING)
    assert len(ears.wanted) == 2
    answers.fail((ROW, READING), Notice("no_model", level="error"))
    answers.forget_problems()
    answers.ask(ROW, READING)
    assert len(ears.wanted) == 3


def test_stopping_keeps_what_there_is_forgetting_does_not(ears: Ears) -> None:
    answers, key = ears.answers, (ROW, READING)
    answers.ask(*key)
    answers.grow(key, "half")
    answers.stop(*key)
    assert answers.get(*key) == "half"
    assert ears.unwanted == [key]
    assert not answers.state(*key).waiting

    answers.forget(*key)
    assert answers.get(*key) is None
    assert ears.unwanted == [key]


def test_the_least_recently_used_answers_go(ears: Ears, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 2 * module.LEAST + 100)
    rows = [replace(ROW, query=query) for query in range(3)]
    for row in rows[:2]:
        ears.answers.finish((row, READING), np.zeros(10, np.float32))
    assert ears.answers.get(rows[0], READING) is not None
    ears.answers.finish((rows[2], READING), np.zeros(10, np.float32))

    assert [ears.answers.get(row, READING) is not None for row in rows] == [True, False, True]


def test_the_size_of_an_answer_is_that_of_its_arrays() -> None:
    assert size_of({"a": [np.zeros(3, np.float64), (np.zeros((2, 2), np.int16), "text")]}) == 24 + 8


def test_a_reading_is_what_a_trace_shows() -> None:
    changes = all_to_json([Reorder((1, 0)), BlockToken(1)])
    trace = small_trace(ids=(4, 5), alterations=changes)

    reading = Reading.of(trace)

    assert reading == Reading("00", (0, 1, 2), (4, 5), (BlockToken(1),), "a b", "fake")
    assert hash(reading) == hash(Reading.of(trace))


# With the engine.


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[FakeBench]:
    with fake_bench(qtbot) as bench:
        yield bench


class Long(Question, answered_by="nowhere:nothing"):
    urgency = "background"


def test_the_engine_answers(bench: FakeBench) -> None:
    bench.source.answers[ROW] = "worked out"
    answers = bench.session.answers
    ears = Ears(answers)

    answers.ask(ROW, READING)
    bench.idle()

    assert answers.get(ROW, READING) == "worked out"
    assert ears.changed == [(ROW, READING)] * 2  # progress, answer
    assert isinstance(bench.source.requests[-1], Ask)
    assert bench.source.requests[-1].priority is Priority.READING


def test_one_that_takes_long_lets_everything_else_go_first(bench: FakeBench) -> None:
    bench.source.answers[Long()] = "at last"
    bench.session.answers.ask(Long())
    bench.idle()
    assert bench.source.requests[-1].priority is Priority.BACKGROUND
    assert bench.session.answers.get(Long()) == "at last"


def test_a_question_is_not_asked_of_another_model(bench: FakeBench) -> None:
    reading = Reading("other", (1,), model_name="theirs")
    bench.session.answers.ask(ROW, reading)
    problem = bench.session.answers.state(ROW, reading).problem
    assert problem is not None
    assert (problem.code, dict(problem.values)) == ("run_other_model", {"name": "theirs"})

    bench.session.set_model(replace(small_info(), sha256="other"))

    assert bench.session.answers.state(ROW, reading).problem is None


def test_what_cannot_be_answered_says_why(bench: FakeBench, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(request: Ask) -> Iterator[object]:
        raise HeadscopeError("empty_text")
        yield

    monkeypatch.setattr(bench.source, "answer", refuse)
    bench.session.answers.ask(ROW, READING)
    bench.idle()
    problem = bench.session.answers.state(ROW, READING).problem
    assert problem is not None
    assert problem.code == "empty_text"


def test_what_is_stopped_is_never_worked_out(bench: FakeBench) -> None:
    bench.source.answers[ROW] = "worked out"
    bench.gate.shut()
    bench.session.answers.ask(ROW, READING)
    bench.session.answers.stop(ROW, READING)
    bench.gate.let()
    bench.idle()
    assert bench.session.answers.get(ROW, READING) is None
    assert bench.session.answers.ask(ROW, READING) is None  # may be asked again
    bench.idle()
    assert bench.session.answers.get(ROW, READING) == "worked out"


def test_another_model_ends_what_was_asked_of_the_old_one(bench: FakeBench) -> None:
    question = WalkOf("source", 0)
    bench.source.answers[question] = "worked out"
    bench.gate.shut()
    bench.session.answers.ask(question, READING)
    bench.engine.submit(OpenModel(bench.engine.new_job(), "fake"))
    bench.gate.let()
    bench.idle()
    assert bench.session.answers.get(question, READING) is None
    assert bench.session.answers.state(question, READING) == AnswerState()
