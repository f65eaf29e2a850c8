"""What is kept of readings, and that questions share the work."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from model.alterations.block_token import BlockToken
from model.inspection.answering import answer
from model.inspection.readings import Readings, StackPass
from model.questions.questions import EmbeddingOf, RowOf, SharesOf, StagesOf, WalkOf
from tests.model.inspection.asked import CROSS, ENCODER, OUT, ask, reading
from tests.model.inspection.conftest import Make


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The side of every layer that is computed."""
    sides: list[str] = []
    advance = StackPass.advance

    def counted(self: StackPass) -> None:
        sides.append(self.side)
        advance(self)

    monkeypatch.setattr(StackPass, "advance", counted)
    return sides


def test_a_second_question_computes_no_layer(make: Make, computed: list[str]) -> None:
    bundle = make().bundle
    readings = Readings(bundle)
    ask(bundle, RowOf(CROSS, 1, 0, 2), reading(), readings)
    assert computed == ["source"] * 2 + ["target"] * 3

    for question in (StagesOf(CROSS, 2, 1), WalkOf("target", 3), WalkOf("source", 1), SharesOf()):
        assert len(list(answer(bundle, question, reading(), readings))) == 1
    assert computed == ["source"] * 2 + ["target"] * 3


def test_the_encoder_alone_is_enough_for_its_questions(make: Make, computed: list[str]) -> None:
    bundle = make().bundle
    readings = Readings(bundle)
    ask(bundle, EmbeddingOf("target"), reading(), readings)
    assert computed == []
    ask(bundle, RowOf(ENCODER, 1, 0, 2), reading(), readings)
    assert computed == ["source"] * 2


def test_translations_of_a_sentence_share_its_encoder(make: Make, computed: list[str]) -> None:
    bundle = make().bundle
    readings = Readings(bundle)
    for steps in range(1, len(OUT) + 1):
        ask(bundle, WalkOf("target", 0), reading(out=OUT[:steps]), readings)
    assert computed.count("source") == 2
    assert computed.count("target") == 3 * len(OUT)

    ask(bundle, WalkOf("target", 0), reading(BlockToken(1)), readings)
    assert computed.count("source") == 4


def test_questions_asked_together_share_the_work(make: Make, computed: list[str]) -> None:
    bundle = make().bundle
    readings = Readings(bundle)
    asked = [RowOf(CROSS, 1, 0, 2), StagesOf(ENCODER, 0, 1), WalkOf("target", 3)]
    waiting: list[Iterator[object]] = [answer(bundle, each, reading(), readings) for each in asked]
    answers: dict[int, object] = {}
    while len(answers) < len(asked):
        for place, each in enumerate(waiting):
            found = next(each, None)
            if found is not None:
                answers[place] = found

    assert sorted(computed) == ["source"] * 2 + ["target"] * 3
    alone = ask(bundle, asked[0], reading())
    together = answers[0]
    np.testing.assert_array_equal(together.total, alone.total)  # type: ignore[attr-defined]


def test_an_interrupted_reading_goes_on(make: Make, computed: list[str]) -> None:
    bundle = make().bundle
    readings = Readings(bundle)
    first = answer(bundle, WalkOf("target", 3), reading(), readings)
    for _ in range(3):
        next(first)
    first.close()  # type: ignore[attr-defined]
    ask(bundle, SharesOf(), reading(), readings)

    assert computed == ["source"] * 2 + ["target"] * 3


def test_the_oldest_go_when_there_is_no_room(make: Make, computed: list[str]) -> None:
    bundle = make().bundle
    ask(bundle, WalkOf("target", 0), reading(), one := Readings(bundle))
    readings = Readings(bundle, most=one.size * 2)
    sources = [(4 + token, *range(9, 13), 3) for token in range(4)]
    for source in sources:
        ask(bundle, WalkOf("target", 0), reading(source=source), readings)
        assert readings.size <= one.size * 2
    computed.clear()
    for source in reversed(sources[2:]):
        ask(bundle, WalkOf("target", 0), reading(source=source), readings)
    assert computed == []
    ask(bundle, WalkOf("target", 0), reading(source=sources[0]), readings)
    assert len(computed) == 5


def test_what_finds_no_room_is_answered_all_the_same(make: Make) -> None:
    bundle = make().bundle
    none = Readings(bundle, most=0, alone=0)
    for _ in range(2):
        tight, kept = (ask(bundle, WalkOf("target", 3), reading(), store) for store in (none, None))
        np.testing.assert_array_equal(tight.steps[-1].vector, kept.steps[-1].vector)
        assert none.size == 0
