"""Hypotheses, worth of heads and orders, asked of the real engine with a model of numpy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tests.viewer.exploring.bench import FakeBench, fake_bench
from viewer.state.messages import LookAtHypothesis

BEAM = {"mode": "beam", "beam_size": 2, "n_best": 2}


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[FakeBench]:
    with fake_bench(qtbot) as bench:
        yield bench


# Beam search.


def test_a_search_tells_everything_it_considered_once(bench: FakeBench) -> None:
    bench.gate.shut(3)
    bench.explorer.translate(BEAM)
    bench.wait(lambda: bool(bench.runs) and bench.runs[0].trace.steps == 2)
    assert [one.id for one in bench.runs[0].search] == [0, 1, 2, 3, 4]
    bench.gate.let()
    bench.idle()
    assert [one.id for one in bench.runs[0].search] == list(range(11))


def test_a_dropped_hypothesis_becomes_a_run_when_it_is_looked_at(bench: FakeBench) -> None:
    search = bench.translate(**BEAM)
    bench.wishes.hypothesis_asked.emit(search.id, 6)  # dropped in the third step
    bench.idle()
    looked = bench.runs[-1]
    assert bench.tokens(looked) == [1, 2, 50]
    assert looked.provenance == {"source": "hypothesis", "search": search.id, "hypothesis": 6}
    assert (looked.parent, bench.shown()) == (search.id, [(looked.id, 2)])
    request = bench.source.requests[-1]
    assert isinstance(request, LookAtHypothesis)
    assert (request.search, request.hypothesis, request.tokens) == (search.id, 6, (1, 2, 50))
    assert bench.session.undo_name == "hypothesis"
    # The second time it is there.
    bench.session.show_run(search.id)
    bench.wishes.hypothesis_asked.emit(search.id, 6)
    assert bench.shown() == [(looked.id, 2)]
    assert not bench.engine.busy


@pytest.mark.parametrize(("hypothesis", "step"), [(0, 0), (5, 2), (9, 4)])
def test_a_hypothesis_on_the_way_to_the_best_is_the_run_itself(
    bench: FakeBench, hypothesis: int, step: int
) -> None:
    search = bench.translate(**BEAM)
    bench.wishes.hypothesis_asked.emit(search.id, hypothesis)
    assert bench.shown() == [(search.id, step)]
    assert not bench.engine.busy


def test_a_hypothesis_that_there_is_not_is_ignored(bench: FakeBench) -> None:
    search = bench.translate(**BEAM)
    bench.wishes.hypothesis_asked.emit(search.id, 99)
    assert not bench.engine.busy


# Worth of heads, orders.


def test_the_worth_of_heads_is_put_on_the_run(bench: FakeBench) -> None:
    run = bench.translate()
    bench.wishes.importance_asked.emit(run.id)
    bench.idle()
    importance = bench.runs[0].importance
    assert importance is not None
    assert importance.logprob == -1.5
    assert bench.source.requests[-1].out_ids == (1, 2, 3, 4, 5)
    measuring = [status for status in bench.statuses if status.state == "measuring"]
    assert all(status.cancellable for status in measuring)


def test_measuring_can_be_cancelled(bench: FakeBench) -> None:
    run = bench.translate()
    bench.gate.shut(2)
    bench.wishes.importance_asked.emit(run.id)
    assert bench.session.job.state == "measuring"
    bench.wishes.cancel_asked.emit()
    bench.gate.let()
    bench.idle()
    assert bench.runs[0].importance is None


def test_a_translation_goes_before_measuring_and_both_come_to_their_end(bench: FakeBench) -> None:
    run = bench.translate()
    bench.gate.shut(2)
    bench.wishes.importance_asked.emit(run.id)
    bench.explorer.translate({"mode": "greedy"})
    assert bench.session.job.state == "decoding"
    bench.gate.let()
    bench.idle()
    assert bench.runs[0].importance is not None
    assert bench.runs[1].trace.steps == 5


def test_orders_are_tried_and_told(bench: FakeBench) -> None:
    bench.wishes.orders_asked.emit("you hit me", (2, 1, 0))
    assert bench.session.orders.busy
    assert bench.session.job.state == "ordering"
    bench.idle()
    experiment = bench.session.orders.experiment
    assert experiment is not None
    assert (experiment.pieces, experiment.order) == (("you", "hit", "me"), (2, 1, 0))
    assert not bench.session.orders.busy


def test_orders_that_cannot_be_tried_tell_why(bench: FakeBench) -> None:
    bench.wishes.orders_asked.emit("", None)
    bench.idle()
    problem = bench.session.orders.problem
    assert problem is not None
    assert problem.code == "empty_text"
    assert bench.session.notice is None


def test_orders_are_cancelled_and_tried_anew(bench: FakeBench) -> None:
    bench.gate.shut(1)
    bench.wishes.orders_asked.emit("first one", None)
    bench.wishes.orders_asked.emit("second one", None)
    assert bench.session.orders.busy
    bench.gate.let()
    bench.idle()
    assert bench.session.orders.experiment is not None
    assert bench.session.orders.experiment.text == "second one"
    bench.gate.shut(1)
    bench.wishes.orders_asked.emit("third one", None)
    bench.wishes.cancel_asked.emit()
    bench.gate.let()
    bench.idle()
    assert (bench.session.orders.busy, bench.session.orders.problem) == (False, None)
