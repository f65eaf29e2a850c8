"""Hypotheses asked of the real engine with a model of numpy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tests.viewer.services.bench import FakeBench, fake_bench
from viewer.document.messages.messages import TraceHypothesis
from viewer.document.messages.requests import ShowHypothesis, Translate

BEAM = {"mode": "beam", "beam_size": 2, "n_best": 2}


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[FakeBench]:
    with fake_bench(qtbot) as bench:
        yield bench


def test_a_search_tells_everything_it_considered_once(bench: FakeBench) -> None:
    bench.gate.shut(3)
    bench.session.ask(Translate(BEAM))
    bench.wait(lambda: bool(bench.runs) and bench.runs[0].trace.steps == 2)
    assert [one.id for one in bench.runs[0].search] == [0, 1, 2, 3, 4]
    bench.gate.let()
    bench.idle()
    assert [one.id for one in bench.runs[0].search] == list(range(11))


def test_a_dropped_hypothesis_becomes_a_run_when_it_is_looked_at(bench: FakeBench) -> None:
    search = bench.translate(**BEAM)
    bench.session.ask(ShowHypothesis(search.id, 6))  # dropped in the third step
    bench.idle()
    looked = bench.runs[-1]
    assert bench.tokens(looked) == [1, 2, 50]
    assert looked.provenance == {"source": "hypothesis", "search": search.id, "hypothesis": 6}
    assert (looked.parent, bench.shown()) == (search.id, [(looked.id, 2)])
    request = bench.source.requests[-1]
    assert isinstance(request, TraceHypothesis)
    assert (request.search, request.hypothesis, request.tokens) == (search.id, 6, (1, 2, 50))
    assert bench.session.undo_name == "hypothesis"
    # The second time it is there.
    bench.session.show_run(search.id)
    bench.session.ask(ShowHypothesis(search.id, 6))
    assert bench.shown() == [(looked.id, 2)]
    assert not bench.engine.busy


@pytest.mark.parametrize(("hypothesis", "step"), [(0, 0), (5, 2), (9, 4)])
def test_a_hypothesis_on_the_way_to_the_best_is_the_run_itself(
    bench: FakeBench, hypothesis: int, step: int
) -> None:
    search = bench.translate(**BEAM)
    bench.session.ask(ShowHypothesis(search.id, hypothesis))
    assert bench.shown() == [(search.id, step)]
    assert not bench.engine.busy


def test_a_hypothesis_that_there_is_not_is_ignored(bench: FakeBench) -> None:
    search = bench.translate(**BEAM)
    bench.session.ask(ShowHypothesis(search.id, 99))
    assert not bench.engine.busy
