"""A new question: one file is all that it takes to be asked in the window and answered by its real engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from model.questions.questions import Reading
from model.translator.translator import Translator
from tests.assets import SENTENCE
from tests.viewer.services import word_count
from tests.viewer.services.bench import Bench
from tests.viewer.services.word_count import Counted, WordCount
from viewer.document.messages.requests import Cancel
from viewer.engine.engine import Engine


@pytest.fixture
def bench(qtbot: QtBot, tiny_bundle: Path) -> Iterator[Bench]:
    word_count.worked.clear()
    bench = Bench(qtbot, Engine(threads=1))
    bench.open(str(tiny_bundle))
    yield bench
    assert bench.engine.close()


def test_it_is_asked_answered_and_kept_by_question_and_reading(bench: Bench, tiny_bundle: Path) -> None:
    bundle = Translator.load(tiny_bundle).bundle
    ids = tuple(bundle.source_tokenizer.source_ids(SENTENCE))
    pieces = [bundle.source_tokenizer.piece(token).lstrip("▁") for token in ids]
    letter = pieces[0][0]
    reading = Reading(bundle.sha256, ids)
    answers, grown = bench.session.answers, []
    answers.changed.connect(lambda question, about: grown.append(answers.get(question, about)))

    assert answers.ask(WordCount(letter), reading) is None
    assert answers.state(WordCount(letter), reading).waiting
    bench.idle()
    expected = Counted(sum(piece.startswith(letter) for piece in pieces), bundle.name)
    assert answers.get(WordCount(letter), reading) == expected
    assert grown[-1] == expected
    assert Counted(1, bundle.name) in grown
    assert {status.what for status in bench.statuses if status.busy} == {"counting"}

    assert answers.ask(WordCount(letter), reading) == expected
    assert len(word_count.worked) == 1
    answers.ask(WordCount(letter), replace(reading, src_ids=ids[1:]))
    answers.ask(WordCount("?"), reading)
    bench.idle()
    assert len(word_count.worked) == 3
    assert answers.get(WordCount("?"), reading).count == 0


def test_it_is_not_asked_of_another_model_and_can_be_stopped(bench: Bench) -> None:
    answers, other = bench.session.answers, Reading("other", (1,), model_name="theirs")
    answers.ask(WordCount("a"), other)
    problem = answers.state(WordCount("a"), other).problem
    assert problem is not None
    assert problem.code == "run_other_model"

    own = Reading("", (4, 5))
    answers.ask(WordCount("a"), own)
    bench.session.ask(Cancel())
    bench.idle()
    assert not answers.state(WordCount("a"), own).waiting
