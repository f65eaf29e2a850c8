"""What heads are worth to a run, asked of the real engine with a model of numpy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from tests.viewer.services.bench import FakeBench, fake_bench
from viewer.document.messages.messages import Ask
from viewer.document.messages.requests import Cancel, MeasureImportance, Translate


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[FakeBench]:
    with fake_bench(qtbot) as bench:
        yield bench


def test_the_worth_of_heads_is_put_on_the_run(bench: FakeBench) -> None:
    run = bench.translate()
    bench.session.ask(MeasureImportance(run.id))
    bench.idle()
    importance = bench.runs[0].importance
    assert importance is not None
    assert importance.logprob == -1.5
    assert bench.source.requests[-1].reading.out_ids == (1, 2, 3, 4, 5)
    measuring = [status for status in bench.statuses if status.what == "measuring"]
    assert measuring
    assert all(status.state == "asking" and status.cancellable for status in measuring)


def test_measuring_can_be_cancelled(bench: FakeBench) -> None:
    run = bench.translate()
    bench.gate.shut(2)
    bench.session.ask(MeasureImportance(run.id))
    assert bench.session.job.what == "measuring"
    bench.session.ask(Cancel())
    bench.gate.let()
    bench.idle()
    assert bench.runs[0].importance is None


def test_a_translation_goes_before_measuring_and_both_come_to_their_end(bench: FakeBench) -> None:
    run = bench.translate()
    bench.gate.shut(2)
    bench.session.ask(MeasureImportance(run.id))
    bench.session.ask(Translate({"mode": "greedy"}))
    assert bench.session.job.state == "decoding"
    bench.gate.let()
    bench.idle()
    assert bench.runs[0].importance is not None
    assert bench.runs[1].trace.steps == 5


def test_what_was_measured_of_a_run_is_known_of_it(bench: FakeBench) -> None:
    run = bench.translate()
    for _ in range(2):
        bench.session.ask(MeasureImportance(run.id))
        bench.idle()
        assert bench.runs[0].importance is not None
        bench.session.replace_run(bench.runs[0].but(importance=None))
    assert len([one for one in bench.source.requests if isinstance(one, Ask)]) == 1


def test_what_could_not_be_measured_says_why_and_may_be_tried_again(
    bench: FakeBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> Iterator[object]:
        raise HeadscopeError("model_overflow")
        yield

    run = bench.translate()
    with monkeypatch.context() as broken:
        broken.setattr(bench.source, "_importance", refuse)
        bench.session.ask(MeasureImportance(run.id))
        bench.idle()
        assert bench.notice() == "model_overflow"
        assert bench.runs[0].importance is None
    bench.session.ask(MeasureImportance(run.id))
    bench.idle()
    assert bench.notice() == ""
    assert bench.runs[0].importance is not None
