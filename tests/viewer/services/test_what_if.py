"""Altered runs beside the untouched one, made by the real engine with a model of numpy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from model.alterations.block_token import BlockToken
from model.alterations.scale_head import ScaleHead
from model.trace.trace import AttentionKind
from tests.viewer.services.bench import FakeBench, fake_bench
from viewer.document.messages.messages import DecodeAltered
from viewer.document.messages.requests import Alter, Branch, Cancel, KeepAltered

HEAD_OFF = ScaleHead(AttentionKind.CROSS, 1, 2)


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[FakeBench]:
    with fake_bench(qtbot) as bench:
        yield bench


def test_an_altered_run_stands_beside_the_untouched_one(bench: FakeBench) -> None:
    base = bench.translate(mode="sample", seed=5)
    bench.session.set_step(2)
    bench.session.ask(Alter(base.id, (HEAD_OFF,)))
    bench.idle()
    altered = bench.runs[-1]
    assert altered.id == f"{base.id}~what-if"
    assert (altered.parent, altered.changes, altered.live) == (base.id, (HEAD_OFF,), False)
    assert bench.tokens(altered) == [101, 102, 103, 104, 105]
    assert altered.held is not None
    assert altered.held.tolist() == [-2.0] * 5
    assert bench.shown() == [(base.id, 2), (altered.id, 2)]
    request = bench.source.requests[-1]
    assert isinstance(request, DecodeAltered)
    assert (request.held_ids, request.config.mode, request.config.seed) == ((1, 2, 3, 4, 5), "sample", 5)


def test_another_change_replaces_the_altered_run_where_it_is(bench: FakeBench) -> None:
    base = bench.translate()
    bench.session.ask(Alter(base.id, (HEAD_OFF,)))
    bench.idle()
    bench.session.activate_pane(1)
    bench.session.set_step(3)
    steps: list[int] = []
    bench.session.run_grew.connect(lambda run_id: steps.append(bench.runs[-1].trace.steps))
    bench.session.ask(Alter(base.id, (HEAD_OFF, BlockToken(1))))
    bench.idle()
    assert [run.id for run in bench.runs] == [base.id, f"{base.id}~what-if"]
    assert bench.runs[-1].changes == (HEAD_OFF, BlockToken(1))
    assert bench.shown()[1] == (f"{base.id}~what-if", 3)
    assert set(steps) <= {5}  # never less than a whole one


def test_of_changes_in_quick_succession_the_last_is_shown(bench: FakeBench) -> None:
    base = bench.translate()
    bench.gate.shut(3)
    for factor in (0.1, 0.2, 0.3):
        bench.session.ask(Alter(base.id, (ScaleHead(AttentionKind.CROSS, 0, 0, factor),)))
    bench.gate.let()
    bench.idle()
    assert len(bench.runs) == 2
    assert bench.runs[1].changes == (ScaleHead(AttentionKind.CROSS, 0, 0, 0.3),)
    assert not bench.runs[1].cancelled


def test_no_changes_take_the_altered_run_and_its_pane_away(bench: FakeBench) -> None:
    base = bench.translate()
    bench.session.ask(Alter(base.id, (HEAD_OFF,)))
    bench.idle()
    bench.session.ask(Alter(base.id, ()))
    assert bench.runs == (base,)
    assert bench.shown() == [(base.id, 4)]
    bench.session.undo()
    assert len(bench.shown()) == len(bench.runs) == 2
    bench.session.redo()
    assert bench.shown() == [(base.id, 4)]


def test_a_pane_of_the_users_own_stays_when_the_changes_go(bench: FakeBench) -> None:
    base = bench.translate()
    bench.session.open_second_pane()
    bench.session.ask(Alter(base.id, (HEAD_OFF,)))
    bench.idle()
    assert [run for run, _ in bench.shown()] == [base.id, f"{base.id}~what-if"]
    bench.session.ask(Alter(base.id, ()))
    assert [run for run, _ in bench.shown()] == [base.id, base.id]


def test_changes_taken_back_before_they_were_answered_come_to_nothing(bench: FakeBench) -> None:
    base = bench.translate()
    bench.gate.shut(2)
    bench.session.ask(Alter(base.id, (HEAD_OFF,)))
    bench.session.ask(Alter(base.id, ()))
    bench.gate.let()
    bench.idle()
    assert bench.runs == (base,)


def test_a_stopped_change_stays_as_far_as_it_came(bench: FakeBench) -> None:
    base = bench.translate()
    bench.gate.shut(3)
    bench.session.ask(Alter(base.id, (HEAD_OFF,)))
    bench.wait(lambda: bench.grown[-1] == [101, 102])
    bench.session.ask(Cancel())
    bench.gate.let()
    bench.idle()
    assert (bench.tokens(bench.runs[-1]), bench.runs[-1].cancelled) == ([101, 102], True)


def test_a_change_of_a_run_that_is_gone_comes_to_nothing(bench: FakeBench) -> None:
    base = bench.translate()
    bench.gate.shut(2)
    bench.session.ask(Alter(base.id, (HEAD_OFF,)))
    bench.session.remove_run(base.id)
    bench.gate.let()
    bench.idle()
    assert not bench.runs


def test_a_kept_altered_run_is_left_alone_by_the_next_change(bench: FakeBench) -> None:
    base = bench.translate()
    bench.session.ask(Alter(base.id, (HEAD_OFF,)))
    bench.idle()
    bench.session.pin(f"{base.id}~what-if")
    bench.session.ask(KeepAltered(f"{base.id}~what-if"))
    kept = bench.runs[-1]
    assert (kept.id.startswith("run-"), kept.parent, kept.changes) == (True, base.id, (HEAD_OFF,))
    assert bench.session.document.pinned == kept.id
    assert [run for run, _ in bench.shown()] == [base.id, kept.id]
    bench.session.ask(Alter(base.id, (BlockToken(0),)))
    bench.idle()
    assert [run.changes for run in bench.runs] == [(), (HEAD_OFF,), (BlockToken(0),)]


def test_a_branch_of_an_altered_run_is_altered_alike(bench: FakeBench) -> None:
    base = bench.translate()
    bench.session.ask(Alter(base.id, (HEAD_OFF,)))
    bench.idle()
    altered = bench.runs[-1]
    bench.session.activate_pane(1)
    bench.session.ask(Branch(altered.id, 1, 77))
    bench.idle()
    assert bench.runs[-1].changes == (HEAD_OFF,)
    assert bench.tokens(bench.runs[-1]) == [101, 77, 103, 104, 105]
    assert bench.shown()[1] == (bench.runs[-1].id, 1)


def test_a_new_sentence_closes_the_pane_that_a_change_opened(bench: FakeBench) -> None:
    base = bench.translate()
    bench.session.ask(Alter(base.id, (HEAD_OFF,)))
    bench.idle()
    new = bench.translate()
    assert [run for run, _ in bench.shown()] == [new.id]
