"""The Train page's conductor: what it asks of the engine, and what the answers change; with scripted runs."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from model.commands.train_arguments import build_parser
from model.errors import HeadscopeError
from model.train_options import TrainOptions
from tests.viewer.fake_source import FakeSource, loads
from tests.viewer.fake_training import OPTIONS, Ear, FakeTools
from viewer.document.messages.training_messages import Train
from viewer.document.messages.training_requests import (
    MakeBatch,
    PauseRun,
    ReadCorpus,
    ResumeRun,
    ShowRun,
    StartRun,
    StopReading,
    StopRun,
    TimeSteps,
    UseRun,
)
from viewer.document.training.training import Training
from viewer.engine import training_job
from viewer.engine.engine import Engine
from viewer.services.training_conductor import TrainingConductor
from viewer.window.settings import Settings


class Bench:
    """A conductor between requests and a real engine whose runs are scripted."""

    def __init__(self, qtbot: QtBot, folder: Path, tools: FakeTools) -> None:
        self.qtbot, self.tools, self.folder = qtbot, tools, folder
        self.settings = Settings(str(folder / "settings.ini"))
        self.engine = Engine(load_model=loads(FakeSource), threads=1, tools=tools)
        self.ear = Ear(self.engine)
        self.training = Training()
        self.used: list[tuple[str, str]] = []
        self.rested = 0
        self.conductor = self.make()

    def make(self) -> TrainingConductor:
        conductor = TrainingConductor(
            self.training, self.engine, self.settings, lambda *used: self.used.append(used)
        )
        conductor.rested.connect(self.count)
        return conductor

    def count(self) -> None:
        self.rested += 1

    @property
    def out(self) -> str:
        return str(self.folder / "out")

    def start(self, out: str | None = None) -> None:
        self.training.ask(StartRun(OPTIONS, out or self.out))

    def until(self, reached: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(reached, timeout=20_000)

    def until_phase(self, phase: str) -> None:
        self.until(lambda: self.training.phase == phase)

    def write_state(self, out: str | None = None) -> None:
        """What a run would leave: enough to be offered."""
        folder = Path(out or self.out)
        folder.mkdir(exist_ok=True)
        (folder / "training_state.safetensors").write_bytes(b"state")


Make = Callable[..., Bench]


@pytest.fixture
def make(qtbot: QtBot, tmp_path: Path) -> Iterator[Make]:
    benches: list[Bench] = []

    def begin(*args: Any, **kwargs: Any) -> Bench:
        benches.append(Bench(qtbot, tmp_path, FakeTools(*args, **kwargs)))
        return benches[-1]

    yield begin
    for bench in benches:
        assert bench.engine.close()


ENDLESS = 10**9


def test_a_run_is_seen_from_start_to_end(make: Make) -> None:
    bench = make(steps=30)
    bench.start()
    assert bench.training.phase == "preparing"
    assert bench.training.order == StartRun(OPTIONS, bench.out)
    bench.until_phase("ended")
    assert bench.training.curves.series("loss")[0].tolist() == list(range(1, 31))
    assert bench.training.done is not None
    assert not bench.training.resumable
    assert bench.settings.unfinished_training == ""
    assert bench.rested == 1
    assert not bench.conductor.unsaved


def test_a_run_notes_the_command_that_does_the_same(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = make(steps=3)
    asked: list[Train] = []
    submit = bench.engine.submit

    def noted(request: Train) -> int:
        asked.append(request)
        return submit(request)

    monkeypatch.setattr(bench.engine, "submit", noted)
    bench.start()
    bench.until_phase("ended")

    program, name, *arguments = shlex.split(asked[0].command)
    assert (program, name) == ("headscope", "train")
    known = vars(build_parser().parse_args(arguments))
    assert (known["task"], known["task_size"], str(known["out"])) == ("copy", 10, bench.out)


def test_one_run_at_a_time(make: Make) -> None:
    bench = make(steps=ENDLESS)
    bench.start()
    bench.until_phase("running")
    bench.start(str(bench.folder / "other"))
    assert bench.training.order is not None
    assert bench.training.order.out == bench.out
    assert len({answer.job for answer in bench.ear.heard}) == 1


def test_pausing_saves_and_resuming_goes_on(make: Make) -> None:
    bench = make(steps=ENDLESS)
    bench.start()
    bench.until(lambda: bench.tools.made > 3)
    bench.until_phase("running")
    bench.training.ask(PauseRun())
    assert bench.training.phase == "pausing"
    assert bench.training.active
    bench.until_phase("paused")
    made = bench.tools.made
    assert bench.tools.saved == [made]
    bench.qtbot.wait(40)
    assert bench.tools.made == made
    bench.training.ask(ResumeRun())
    assert bench.training.phase == "running"
    bench.until(lambda: bench.tools.made > made)


def test_a_run_resumed_before_it_rested_is_not_shown_as_paused(make: Make) -> None:
    bench = make(steps=ENDLESS)
    bench.start()
    bench.until_phase("running")
    bench.training.ask(PauseRun())
    bench.training.ask(ResumeRun())
    made = bench.tools.made
    bench.until(lambda: bench.tools.made > made + 20)
    assert bench.training.phase == "running"


@pytest.mark.parametrize("paused", [False, True])
def test_stopping_saves_and_what_was_seen_stays(make: Make, paused: bool) -> None:
    bench = make(steps=ENDLESS)
    bench.start()
    bench.until(lambda: bench.tools.made > 3)
    if paused:
        bench.training.ask(PauseRun())
        bench.until_phase("paused")
    bench.training.ask(StopRun())
    assert bench.training.phase == "stopping"
    bench.until_phase("ended")
    assert bench.training.resumable
    assert bench.tools.saved[-1] == bench.tools.made
    assert len(bench.training.curves.series("loss")[0]) == bench.tools.made
    assert bench.settings.unfinished_training == bench.out


def test_a_stopped_run_is_resumed_from_its_save_and_its_curve_goes_on(make: Make) -> None:
    bench = make(steps=ENDLESS)
    bench.start()
    bench.until(lambda: bench.tools.made > 3)
    bench.training.ask(StopRun())
    bench.until_phase("ended")
    saved = bench.tools.saved[-1]
    bench.tools.steps = saved + 5
    bench.training.ask(ResumeRun())
    assert bench.training.order == StartRun(OPTIONS, bench.out, resume=True)
    bench.until_phase("ended")
    assert bench.training.curves.series("loss")[0].tolist() == list(range(1, saved + 6))
    assert not bench.training.resumable


def test_stopping_after_the_evaluation_makes_one_and_can_be_resumed(make: Make) -> None:
    bench = make(steps=ENDLESS)
    bench.start()
    bench.until(lambda: bench.tools.made > 3)
    bench.training.ask(StopRun(evaluate=True))
    bench.until_phase("ended")
    assert len(bench.training.evals) == 1
    assert bench.training.done is not None
    assert bench.training.resumable
    assert bench.settings.unfinished_training == bench.out


def test_stopping_before_the_first_step_leaves_nothing(make: Make) -> None:
    go_on = threading.Event()
    bench = make(preparing=lambda: go_on.wait(20))
    bench.start()
    bench.until(lambda: "preparing" in bench.tools.threads)
    assert not bench.conductor.unsaved
    bench.training.ask(StopRun())
    bench.until(lambda: bench.tools.control.stop.is_set())
    go_on.set()
    bench.until_phase("idle")
    assert bench.training.problem is None
    assert bench.training.order is None
    assert bench.settings.unfinished_training == ""
    assert bench.rested == 1


def test_a_resumed_run_that_is_stopped_while_preparing_can_still_be_resumed(make: Make) -> None:
    bench = make(steps=ENDLESS)
    bench.start()
    bench.until(lambda: bench.tools.made > 3)
    bench.training.ask(StopRun())
    bench.until_phase("ended")
    bench.write_state()
    go_on = threading.Event()
    bench.tools.preparing = lambda: go_on.wait(20)
    bench.training.ask(ResumeRun())
    bench.training.ask(StopRun())
    bench.until(lambda: bench.tools.control.stop.is_set())
    go_on.set()
    bench.until_phase("ended")
    assert bench.training.resumable
    assert bench.training.problem is None
    assert len(bench.training.curves.series("loss")[0]) > 3


@pytest.mark.parametrize("paused", [False, True])
def test_the_model_of_the_moment_is_used_and_the_run_goes_on_as_it_was(make: Make, paused: bool) -> None:
    bench = make(steps=ENDLESS)
    bench.start()
    bench.until_phase("running")
    if paused:
        bench.training.ask(PauseRun())
        bench.until_phase("paused")
    made = bench.tools.made
    bench.training.ask(UseRun())
    bench.until(lambda: bool(bench.used))
    (folder, sentence) = bench.used[0]
    assert Path(folder).parent == Path(bench.out) / "snapshots"
    assert int(Path(folder).name.removeprefix("step-")) >= made
    assert sentence == "a b"
    bench.qtbot.wait(30)
    assert bench.training.phase == ("paused" if paused else "running")
    assert len(bench.used) == 1


def test_an_ended_run_s_best_model_is_used(make: Make) -> None:
    bench = make(steps=3)
    bench.start()
    bench.until_phase("ended")
    bench.training.ask(UseRun())
    assert bench.used == [(bench.out, "a b")]


def test_a_full_disk_is_said_and_mended(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_job, "RETRY_SECONDS", 0.05)
    bench = make(steps=ENDLESS)
    bench.start()
    bench.until(lambda: bench.tools.made > 3)
    bench.tools.broken.set()
    bench.training.ask(PauseRun())
    bench.until_phase("waiting")
    assert bench.training.problem is not None
    assert bench.training.problem.code == "disk_full"
    assert bench.conductor.unsaved
    bench.tools.broken.clear()
    bench.until_phase("paused")
    assert bench.training.problem is None


def test_resuming_while_the_disk_is_full_unpauses(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_job, "RETRY_SECONDS", 3600.0)
    bench = make(steps=ENDLESS)
    bench.start()
    bench.until(lambda: bench.tools.made > 3)
    bench.tools.broken.set()
    bench.training.ask(PauseRun())
    bench.until_phase("waiting")
    bench.tools.broken.clear()
    bench.training.ask(ResumeRun())
    made = bench.tools.made
    bench.until(lambda: bench.tools.made > made + 5)
    bench.until_phase("running")


def test_a_failed_run_says_why_and_can_be_resumed_if_it_was_saved(make: Make) -> None:
    def fail(step: int) -> None:
        if step == 7:
            raise HeadscopeError("training_diverged", step=7)

    bench = make(before_step=fail)
    bench.write_state()
    bench.start()
    bench.until_phase("failed")
    assert bench.training.problem is not None
    assert bench.training.problem.code == "training_diverged"
    assert bench.training.problem.level == "error"
    assert bench.training.resumable
    assert len(bench.training.curves.series("loss")[0]) == 6
    assert not bench.training.active


def test_going_on_that_was_refused_may_be_tried_again(make: Make) -> None:
    def refuse() -> None:
        raise HeadscopeError("folder_busy", path="out")

    bench = make(steps=ENDLESS)
    bench.start()
    bench.until(lambda: bench.tools.made > 3)
    bench.training.ask(StopRun())
    bench.until_phase("ended")
    bench.write_state()
    bench.tools.preparing = refuse
    bench.training.ask(ResumeRun())
    bench.until_phase("failed")
    assert bench.training.resumable

    bench.tools.steps = bench.tools.saved[-1] + 5
    bench.tools.preparing = lambda: None
    bench.training.ask(ResumeRun())
    bench.until_phase("ended")


def test_a_folder_that_another_writes_is_said_and_not_resumed(make: Make) -> None:
    def refuse() -> None:
        raise HeadscopeError("folder_busy", path="out")

    bench = make(preparing=refuse)
    bench.write_state()
    bench.start()
    bench.until_phase("failed")
    assert bench.training.problem is not None
    assert bench.training.problem.code == "folder_busy"
    assert not bench.training.resumable
    bench.tools.preparing = lambda: None
    bench.start(str(bench.folder / "other"))
    bench.until_phase("ended")


def test_an_unfinished_run_is_offered_at_the_next_start_until_one_begins(make: Make) -> None:
    bench = make(steps=3)
    assert bench.training.offer == ""
    bench.write_state()
    bench.settings.unfinished_training = bench.out
    bench.training = Training()
    bench.conductor = bench.make()
    assert bench.training.offer == bench.out
    bench.start(str(bench.folder / "other"))
    assert bench.training.offer == ""
    bench.until_phase("ended")


def test_a_run_that_was_deleted_is_not_offered(make: Make) -> None:
    bench = make()
    bench.settings.unfinished_training = str(bench.folder / "gone")
    bench.training = Training()
    bench.conductor = bench.make()
    assert bench.training.offer == ""


def test_what_cannot_be_opened_is_said(make: Make) -> None:
    bench = make()
    bench.training.ask(ShowRun(str(bench.folder / "nowhere")))
    bench.until_phase("failed")
    assert bench.training.problem is not None
    assert bench.training.problem.code == "training_nothing"
    assert not bench.engine.busy


def test_a_survey_comes_into_view_as_it_grows(make: Make) -> None:
    bench = make()
    seen: list[tuple[int, bool]] = []

    def note() -> None:
        survey = bench.training.survey
        seen.append((0 if survey is None else survey.pairs, bench.training.surveying))

    bench.training.survey_changed.connect(note)
    bench.training.ask(ReadCorpus(OPTIONS))
    bench.until(lambda: not bench.training.surveying)
    assert (seen[0], seen[-1]) == ((0, True), (30, False))
    assert all(reading for _, reading in seen[:-1])
    assert seen == sorted(seen, key=lambda told: told[0])


def test_a_survey_that_fails_says_why_and_a_newer_one_counts(make: Make) -> None:
    bench = make()
    bad = TrainOptions(name="bad", task="copy", task_size=10)
    bench.training.ask(ReadCorpus(bad))
    bench.until(lambda: not bench.training.surveying)
    assert bench.training.survey is None
    assert bench.training.survey_problem is not None
    assert bench.training.survey_problem.code == "file_missing"
    bench.training.ask(ReadCorpus(bad))
    bench.training.ask(ReadCorpus(OPTIONS))
    bench.until(lambda: not bench.training.surveying)
    assert bench.training.survey_problem is None
    assert bench.training.survey is not None
    assert bench.training.phase == "idle"


def test_a_survey_that_was_broken_off_stays_as_far_as_it_came(make: Make) -> None:
    bench = make()
    read_on = threading.Event()
    bench.tools.reading = lambda: read_on.wait(20)
    bench.training.ask(ReadCorpus(OPTIONS))
    bench.until(lambda: bench.training.survey is not None)
    bench.training.ask(StopReading())
    read_on.set()
    bench.until(lambda: not bench.training.surveying)
    assert bench.training.survey is not None
    assert not bench.training.survey.complete
    assert bench.training.survey_problem is None


def test_a_batch_comes_into_view_or_says_why_not(make: Make) -> None:
    bench = make()
    bench.training.ask(MakeBatch(OPTIONS, bench.out, 4, 2))
    assert bench.training.looking
    bench.until(lambda: not bench.training.looking)
    view: Any = bench.training.batch
    assert view == ("view", 4, 2)
    bench.training.ask(MakeBatch(OPTIONS, bench.out, -1, 2))
    bench.until(lambda: not bench.training.looking)
    assert bench.training.batch is None
    assert bench.training.batch_problem is not None


def test_the_machine_is_timed_for_a_run_and_not_while_one_goes_on(make: Make) -> None:
    bench = make(steps=ENDLESS)
    bench.training.ask(TimeSteps(OPTIONS, 7.0, "key"))
    bench.until(lambda: "key" in bench.training.speeds)
    assert bench.training.speeds == {"key": 700.0}
    bench.training.ask(TimeSteps(OPTIONS, -1.0, "bad"))  # it fails: not known, and not asked for again
    bench.until(lambda: "bad" in bench.training.speeds)
    assert bench.training.speeds["bad"] == 0
    bench.start()
    bench.until_phase("running")
    assert bench.tools.threads["speed"] not in (threading.get_ident(), bench.tools.threads["steps"])
    jobs = {answer.job for answer in bench.ear.heard}
    bench.training.ask(TimeSteps(OPTIONS, 8.0, "other"))
    bench.conductor.stop()
    bench.until_phase("ended")
    assert {answer.job for answer in bench.ear.heard} == jobs
    assert "other" not in bench.training.speeds
