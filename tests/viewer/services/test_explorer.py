"""Requests answered by the real engine with a model of numpy: translations, branches, samples, undoing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from model.abilities import ROUND_ABILITIES
from model.alterations.scale_head import ScaleHead
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind
from tests.viewer.fake_source import FakeSource, small_info, small_trace
from tests.viewer.services.bench import FakeBench, Gate, fake_bench
from viewer.document.document import Run
from viewer.document.history import Change
from viewer.document.job_status import JobStatus
from viewer.document.messages.messages import DecodeSample
from viewer.document.messages.requests import (
    Alter,
    Branch,
    Cancel,
    Continue,
    MeasureImportance,
    Pause,
    ReadTarget,
    Resume,
    ShowHypothesis,
    Translate,
)
from viewer.document.selection import Selection

HEAD_OFF = ScaleHead(AttentionKind.CROSS, 1, 2)
BEAM = {"mode": "beam", "beam_size": 2, "n_best": 2}


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[FakeBench]:
    with fake_bench(qtbot) as bench:
        yield bench


# Translations.


def test_each_translation_is_a_run_beside_the_earlier_ones(bench: FakeBench) -> None:
    first = bench.translate()
    bench.session.set_text("c d")
    second = bench.translate()
    assert [run.id for run in bench.runs] == [first.id, second.id]
    assert bench.session.run() is second
    assert (first.trace.src_text, second.trace.src_text) == ("a b", "c d")
    assert (second.live, second.cancelled) == (False, False)
    assert second.provenance == {"source": "decoded"}
    assert {status.state for status in bench.statuses} == {"decoding", "idle"}


def test_a_model_that_writes_in_rounds_is_asked_for_rounds(bench: FakeBench) -> None:
    """Whatever mode another model was last asked in."""
    bench.session.set_model(replace(small_info(), can=ROUND_ABILITIES))
    bench.session.set_decoding(BEAM)
    bench.session.set_rounds(8)
    bench.translate()
    asked = bench.source.requests[-1].config
    assert (asked.mode, asked.rounds) == ("rounds", 8)


def test_an_example_makes_room_unless_something_branched_from_it(bench: FakeBench) -> None:
    for run_id in ("leaf", "parent"):
        run = Run(run_id, small_trace(), provenance={"source": "recorded"})
        bench.session.add_run(run)
    bench.session.add_run(Run("child", small_trace(), parent="parent", provenance={"source": "decoded"}))
    for source in ("file", "training"):  # the user opened them
        bench.session.add_run(Run(source, small_trace(), provenance={"source": source}))
    new = bench.translate()
    assert [run.id for run in bench.runs] == ["parent", "child", "file", "training", new.id]
    bench.session.undo()
    assert [run.id for run in bench.runs] == ["leaf", "parent", "child", "file", "training"]


def test_an_example_that_was_marked_stays(bench: FakeBench) -> None:
    for run_id in ("marked", "pinned"):
        bench.session.add_run(Run(run_id, small_trace(), provenance={"source": "recorded"}))
        bench.session.bookmarks.add("for the lecture") if run_id == "marked" else bench.session.pin(run_id)
    new = bench.translate()
    assert [run.id for run in bench.runs] == ["marked", "pinned", new.id]
    assert [mark.name for mark in bench.session.bookmarks.all] == ["for the lecture"]
    assert bench.session.document.pinned == "pinned"


def test_settings_that_make_no_sense_are_said_and_nothing_begins(bench: FakeBench) -> None:
    bench.session.ask(Translate({"mode": "beam", "beam_size": 0}))
    assert bench.notice() == "config_value"
    bench.session.set_decoding({"mode": "sample", "top_p": 7.0}, 2)
    bench.session.ask(Translate())
    assert bench.notice() == "config_value"
    assert (bench.engine.busy, bench.runs) == (False, ())


def test_a_newer_translation_leaves_the_older_one_stopped(bench: FakeBench) -> None:
    bench.gate.shut(3)
    bench.session.ask(Translate({"mode": "greedy"}))
    bench.wait(lambda: bool(bench.runs) and bench.runs[0].trace.steps == 2)
    bench.session.ask(Translate({"mode": "greedy"}))
    bench.gate.let()
    bench.idle()
    old, new = bench.runs
    assert (old.live, old.cancelled, old.trace.steps) == (False, True, 2)
    assert (new.live, new.cancelled, new.trace.steps) == (False, False, 5)


def test_a_cancelled_run_stays_as_far_as_it_came(bench: FakeBench) -> None:
    bench.gate.shut(4)
    bench.session.ask(Translate({"mode": "greedy"}))
    bench.wait(lambda: bool(bench.runs) and bench.runs[0].trace.steps == 3)
    assert bench.runs[0].live
    bench.session.ask(Cancel())
    assert (bench.runs[0].live, bench.runs[0].cancelled) == (False, True)
    assert bench.session.job == JobStatus()
    bench.gate.let()
    bench.idle()
    assert bench.tokens() == [1, 2, 3]


def test_a_run_that_failed_midway_stays_as_far_as_it_came(qtbot: QtBot) -> None:
    def fail(step: int) -> None:
        if step == 3:
            raise HeadscopeError("too_long", tokens=9, limit=5)

    bench = FakeBench(qtbot, FakeSource(steps=5, before_step=fail), Gate())
    bench.open("fake")
    bench.session.ask(Translate({"mode": "greedy"}))
    bench.idle()
    assert bench.notice() == "too_long"
    assert (bench.tokens(), bench.runs[0].cancelled, bench.runs[0].live) == ([1, 2], True, False)
    assert bench.engine.close()


def test_pausing_holds_a_translation_until_it_is_resumed(bench: FakeBench) -> None:
    bench.gate.shut(2)
    bench.session.ask(Translate({"mode": "greedy"}))
    bench.wait(lambda: bool(bench.runs) and bench.runs[0].trace.steps == 1)
    bench.session.ask(Pause())
    assert (bench.session.job.paused, bench.session.job.cancellable) == (True, True)
    bench.gate.let()
    bench.qtbot.wait(60)
    # A token that was being made when it was asked is not lost.
    assert bench.runs[0].trace.steps <= 2
    assert bench.runs[0].live
    bench.session.ask(Resume())
    assert not bench.session.job.paused
    bench.idle()
    assert bench.tokens() == [1, 2, 3, 4, 5]


def test_a_paused_translation_can_be_stopped(bench: FakeBench) -> None:
    bench.gate.shut(3)
    bench.session.ask(Translate({"mode": "greedy"}))
    bench.wait(lambda: bool(bench.runs) and bench.runs[0].trace.steps == 2)
    bench.session.ask(Pause())
    bench.gate.let()
    bench.session.ask(Cancel())
    bench.idle()
    assert bench.runs[0].cancelled


def test_at_an_infinite_pace_each_resume_makes_one_token(bench: FakeBench) -> None:
    bench.session.set_pace(math.inf)
    bench.session.ask(Translate({"mode": "greedy"}))
    for steps in range(1, 5):
        bench.wait(lambda: bool(bench.runs) and bench.session.job.paused)
        bench.qtbot.wait(20)
        assert bench.runs[0].trace.steps == steps
        bench.session.ask(Resume())
    bench.idle()
    assert bench.tokens() == [1, 2, 3, 4, 5]


def test_another_pace_is_taken_midway(bench: FakeBench) -> None:
    bench.session.set_pace(3600.0)
    bench.session.ask(Translate({"mode": "greedy"}))
    bench.wait(lambda: bool(bench.runs) and bench.runs[0].trace.steps == 1)
    bench.qtbot.wait(20)
    assert bench.runs[0].trace.steps == 1
    bench.session.set_pace(0.0)
    bench.idle()
    assert bench.runs[0].trace.steps == 5


# Branches.


def test_a_branch_goes_on_from_another_word_and_is_shown_at_that_step(bench: FakeBench) -> None:
    parent = bench.translate()
    bench.session.set_text("typed meanwhile")
    bench.session.ask(Branch(parent.id, 2, 77))
    bench.idle()
    branch = bench.runs[-1]
    assert bench.tokens(branch) == [1, 2, 77, 4, 5]
    assert (branch.parent, branch.branch_step, branch.trace.src_text) == (parent.id, 2, "a b")
    assert bench.shown() == [(branch.id, 2)]
    assert bench.session.text == "typed meanwhile"
    request = bench.source.requests[-1]
    assert (request.parent, request.run, request.config.prefix_ids) == (parent.id, branch.id, (1, 2, 77))
    bench.session.undo()
    assert bench.shown() == [(parent.id, 4)]


def test_in_slow_motion_the_new_words_of_a_branch_are_followed(bench: FakeBench) -> None:
    parent = bench.translate()
    bench.session.set_pace(0.001)
    bench.session.ask(Branch(parent.id, 1, 77))
    bench.idle()
    assert bench.shown() == [(bench.runs[-1].id, 4)]


def test_the_word_that_stands_there_selects_its_step(bench: FakeBench) -> None:
    parent = bench.translate()
    bench.session.ask(Branch(parent.id, 1, 2))
    assert not bench.engine.busy
    assert bench.shown() == [(parent.id, 1)]


def test_a_branch_that_is_there_is_shown_from_either_side(bench: FakeBench) -> None:
    parent = bench.translate()
    bench.session.ask(Branch(parent.id, 2, 77))
    bench.idle()
    branch = bench.runs[-1]
    bench.session.ask(Branch(branch.id, 2, 3))
    assert bench.shown() == [(parent.id, 2)]
    bench.session.ask(Branch(parent.id, 2, 77))
    assert bench.shown() == [(branch.id, 2)]
    assert not bench.engine.busy
    assert len(bench.runs) == 2


def test_a_stopped_run_is_gone_on_with(bench: FakeBench) -> None:
    bench.gate.shut(4)
    bench.session.ask(Translate({"mode": "greedy"}))
    bench.wait(lambda: bool(bench.runs) and bench.runs[0].trace.steps == 3)
    bench.session.ask(Cancel())
    bench.gate.let()
    bench.idle()
    bench.session.ask(Continue(bench.runs[0].id, 3, ""))
    bench.idle()
    assert (bench.tokens(), bench.runs[1].parent, bench.runs[1].branch_step) == (
        [1, 2, 3, 4, 5],
        bench.runs[0].id,
        3,
    )


def test_a_finished_run_goes_on_nowhere(bench: FakeBench) -> None:
    run = bench.translate()
    bench.session.ask(Continue(run.id, 5, ""))
    bench.session.ask(Branch(run.id, 5, 9))
    bench.session.ask(Branch("nobody", 0, 9))
    assert not bench.engine.busy


def test_a_typed_continuation_is_the_prefix_after_the_words_before(bench: FakeBench) -> None:
    parent = bench.translate()
    bench.session.ask(Continue(parent.id, 2, "le chien"))
    bench.idle()
    config = bench.source.requests[-1].config
    assert (config.mode, config.prefix_ids, config.prefix) == ("greedy", (1, 2), "le chien")
    assert bench.runs[-1].branch_step == 2


def test_a_branch_of_a_sampled_run_is_sampled_anew_and_others_go_on_greedily(bench: FakeBench) -> None:
    sampled = bench.translate(mode="sample", seed=7, top_k=3)
    bench.session.ask(Branch(sampled.id, 1, 77))
    bench.idle()
    config = bench.source.requests[-1].config
    assert (config.mode, config.top_k, config.seed) == ("sample", 3, None)
    searched = bench.translate(**BEAM)
    bench.session.ask(Branch(searched.id, 1, 77))
    bench.idle()
    assert bench.source.requests[-1].config.mode == "greedy"


def test_a_run_of_another_model_is_not_gone_on_with(bench: FakeBench) -> None:
    run = bench.translate()
    other = small_info()
    bench.session.set_model(type(other)(**{**vars(other), "sha256": "11"}))
    bench.session.ask(Branch(run.id, 1, 77))
    assert bench.notice() == "run_other_model"
    assert "fake" in str(bench.session.notice and bench.session.notice.sentence())
    for wish in (
        lambda: bench.session.ask(Continue(run.id, 1, "x")),
        lambda: bench.session.ask(Alter(run.id, (HEAD_OFF,))),
        lambda: bench.session.ask(MeasureImportance(run.id)),
    ):
        bench.session.set_notice(None)
        wish()
        assert bench.notice() == "run_other_model"
    assert not bench.engine.busy


def test_while_the_model_loads_a_run_is_not_gone_on_with(qtbot: QtBot) -> None:
    bench = FakeBench(qtbot, FakeSource(), Gate())
    bench.session.add_run(Run("example", small_trace(), provenance={"source": "recorded"}))
    bench.session.ask(Branch("example", 1, 77))
    assert bench.notice() == "no_model"
    bench.board.begin(JobStatus("loading", 1))
    bench.session.ask(Branch("example", 1, 77))
    assert bench.notice() == "run_model_loading"
    assert bench.engine.close()


# Forced, samples.


def test_a_forced_target_is_a_run_of_its_own(bench: FakeBench) -> None:
    bench.translate()
    bench.session.ask(ReadTarget("le chat"))
    bench.idle()
    config = bench.source.requests[-1].config
    assert (config.mode, config.target) == ("forced", "le chat")
    assert bench.runs[-1].parent is None
    assert bench.session.undo_name == "forced target"


def test_tokens_that_queued_up_are_shown_as_one_change_and_none_is_lost(bench: FakeBench) -> None:
    bench.source.steps = 300
    changes: list[int] = []
    for changed in (bench.session.runs_changed, bench.session.run_grew):
        changed.connect(lambda *_: changes.append(bench.runs[0].trace.steps))
    bench.source.tidied.clear()
    bench.session.ask(Translate({"mode": "beam", "beam_size": 2}))
    assert bench.source.tidied.wait(20)  # the window was held up all the while: it has heard of no token yet
    assert changes == []
    bench.idle()
    run = bench.runs[0]
    assert bench.tokens(run) == list(range(1, 301))
    assert [one.id for one in run.search] == list(range(len(run.search)))
    assert {one.step for one in run.search} == set(range(-1, 300))
    assert bench.grown == [list(range(1, 1 + count)) for count in range(301)]
    assert bench.shown() == [(run.id, 299)]
    assert changes[-1] == 300
    assert len(changes) <= 4  # the first, the newest, the end; not three hundred


def test_samples_are_siblings_with_seeds_in_a_row(bench: FakeBench) -> None:
    bench.session.set_decoding({"mode": "sample", "seed": 40}, 3)
    bench.session.ask(Translate())
    bench.wait(lambda: any(status.done == 2 for status in bench.statuses))
    bench.idle()
    assert [type(request) for request in bench.source.requests] == [DecodeSample] * 3
    assert [request.config.seed for request in bench.source.requests] == [40, 41, 42]
    assert [run.provenance["sample"] for run in bench.runs] == [0, 1, 2]
    assert {run.parent for run in bench.runs} == {None}
    assert bench.shown() == [(bench.runs[0].id, 4)]
    assert max(status.total for status in bench.statuses) == 3
    bench.session.undo()
    assert not bench.runs


def test_without_a_seed_samples_differ_from_the_last_ones(bench: FakeBench) -> None:
    for _ in range(2):
        bench.session.set_decoding({"mode": "sample"}, 2)
        bench.session.ask(Translate())
        bench.idle()
    seeds = [request.config.seed for request in bench.source.requests]
    assert seeds[1] == seeds[0] + 1
    assert seeds[0] != seeds[2]


def test_cancelling_stops_all_samples(bench: FakeBench) -> None:
    bench.gate.shut(8)
    bench.session.set_decoding({"mode": "sample", "seed": 1}, 4)
    bench.session.ask(Translate())
    bench.wait(lambda: len(bench.runs) == 2 and bench.runs[1].trace.steps == 1)
    bench.session.ask(Cancel())
    bench.gate.let()
    bench.idle()
    assert [(run.trace.steps, run.cancelled) for run in bench.runs] == [(5, False), (1, True)]
    assert len(bench.source.requests) == 2


# Stale answers.


def test_one_of_several_samples_that_go_on_is_taken_out_and_the_others_end(bench: FakeBench) -> None:
    bench.session.set_pace(math.inf)
    bench.session.set_decoding({"mode": "sample", "seed": 1}, 3)
    bench.session.ask(Translate())
    bench.wait(lambda: [run.trace.steps for run in bench.runs] == [1, 1, 1])
    bench.session.remove_run(bench.runs[1].id)
    assert [run.live for run in bench.runs] == [True, True]
    bench.session.set_pace(0.0)
    bench.session.ask(Resume())
    bench.idle()
    assert [(run.live, run.cancelled, run.trace.steps) for run in bench.runs] == [(False, False, 5)] * 2
    assert bench.session.job == JobStatus()


def test_undoing_a_translation_that_goes_on_stops_it(bench: FakeBench) -> None:
    first = bench.translate()
    bench.gate.shut(3)
    bench.session.ask(Translate({"mode": "greedy"}))
    bench.wait(lambda: len(bench.runs) == 2 and bench.runs[1].trace.steps == 2)
    bench.session.undo()
    assert bench.session.job == JobStatus()
    bench.gate.let()
    bench.idle()
    assert bench.runs == (first,)
    bench.session.redo()
    assert (bench.runs[1].live, bench.runs[1].cancelled, bench.runs[1].trace.steps) == (False, True, 2)


@pytest.mark.parametrize("tokens", [6, 8])
def test_undoing_samples_stops_those_that_are_still_to_come(bench: FakeBench, tokens: int) -> None:
    """Between two of them (6), or in the middle of one (8)."""
    bench.gate.shut(tokens)
    bench.session.set_decoding({"mode": "sample", "seed": 1}, 4)
    bench.session.ask(Translate())
    bench.wait(lambda: len(bench.grown) == tokens and sum(run.live for run in bench.runs) == tokens // 8)
    bench.session.undo()
    bench.gate.let()
    bench.idle()
    assert not bench.runs
    # What was not begun when it was undone never is; between two, the next may have been begun unheard of.
    assert tokens == 6 or len(bench.source.requests) == 2


def test_answers_for_runs_that_are_gone_are_ignored(bench: FakeBench) -> None:
    search = bench.translate(**BEAM)
    bench.gate.shut()
    bench.session.ask(MeasureImportance(search.id))
    bench.session.ask(ShowHypothesis(search.id, 6))
    bench.session.remove_run(search.id)
    bench.gate.let()
    bench.idle()
    assert not bench.runs


def test_a_parent_that_is_gone_is_no_parent(bench: FakeBench) -> None:
    parent = bench.translate()
    bench.gate.shut()
    bench.session.ask(Branch(parent.id, 2, 77))
    with bench.session.one_change(Change.DELETE):
        bench.session.remove_run(parent.id)
    bench.gate.let()
    bench.idle()
    assert [run.parent for run in bench.runs] == [None]


def test_a_wish_about_a_pane_shows_the_branch_there_alone(bench: FakeBench) -> None:
    parent = bench.translate()
    bench.session.open_second_pane(Selection(step=1))
    bench.session.activate_pane(0)
    bench.session.ask(Branch(parent.id, 3, 77))
    bench.idle()
    assert [run for run, _ in bench.shown()] == [bench.runs[-1].id, parent.id]
