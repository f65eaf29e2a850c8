"""Training jobs in the engine, with scripted runs: order, pausing, commands, waiting, failing, ending."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch
from PySide6.QtCore import QCoreApplication, QTimer
from pytestqt.qtbot import QtBot

from model.config import TrainConfig
from model.data.pairs.survey import CorpusSurvey
from model.errors import HeadscopeError
from model.training.progress.events import StepEvent, WorkEvent
from tests.viewer.driving import PATIENCE_MS
from tests.viewer.engine.test_engine import Listener
from tests.viewer.fake_source import FakeSource, loads
from tests.viewer.fake_training import OPTIONS, Ear, FakeTools, at, eval_event, step_event
from tests.viewer.starts import Starts
from viewer import giving_way
from viewer.document.messages.messages import Decode, OpenModel, PauseJob
from viewer.document.messages.training_messages import CommandRun, ComputeBatch, OpenRun, Survey, Train
from viewer.engine import training_job, training_jobs
from viewer.engine.collector import Collector
from viewer.engine.context import JobContext
from viewer.engine.engine import Engine
from viewer.engine.scheduler import Rest
from viewer.engine.training_job import TrainingJob


class Bench:
    """An engine on a model and runs that are scripted."""

    def __init__(self, qtbot: QtBot, tools: FakeTools) -> None:
        self.qtbot, self.tools = qtbot, tools
        self.engine = Engine(load_model=loads(FakeSource), threads=1, tools=tools)
        self.ear, self.look = Ear(self.engine), Listener(self.engine)

    def train(self, out: str = "out", *, resume: bool = False) -> int:
        return self.engine.submit(Train(self.engine.new_job(), OPTIONS, out, resume))

    def until(self, reached: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(reached, timeout=20_000)

    def translate(self) -> None:
        """Open the model if need be and translate, to the end."""
        if not self.look.heard:
            self.engine.submit(OpenModel(self.engine.new_job(), "fake"))
        job = self.engine.submit(Decode(self.engine.new_job(), "a b"))
        self.until(lambda: "TraceDone" in self.look.types(job))


Make = Callable[..., Bench]


@pytest.fixture
def make(qtbot: QtBot) -> Iterator[Make]:
    benches: list[Bench] = []

    def begin(*args: Any, **kwargs: Any) -> Bench:
        benches.append(Bench(qtbot, FakeTools(*args, **kwargs)))
        return benches[-1]

    yield begin
    for bench in benches:
        assert bench.engine.close()


class Gate:
    """Lets a run make as many steps as it is told."""

    def __init__(self) -> None:
        self._steps = threading.Semaphore(0)
        self.open = False

    def __call__(self, step: int) -> None:
        if not self.open:
            assert self._steps.acquire(timeout=20)

    def let(self, steps: int) -> None:
        for _ in range(steps):
            self._steps.release()

    def let_all(self) -> None:
        self.open = True
        self.let(1)


def test_every_event_arrives_in_order_and_the_end_comes_last(make: Make) -> None:
    bench = make(steps=300)
    job = bench.train()
    bench.until(lambda: not bench.engine.busy)
    steps = [event.step for event in bench.ear.events(job) if isinstance(event, StepEvent)]
    assert steps == list(range(1, 301))
    assert bench.ear.types(job)[-1] == "TrainingEnded"
    assert set(bench.ear.types(job)[:-1]) == {"TrainingHappened"}
    assert bench.ear.heard[-1].done
    assert bench.ear.heard[-1].out == "out"
    assert bench.look.heard == []


def test_the_window_hears_of_steps_a_few_times_a_second_not_of_each(make: Make) -> None:
    bench = make(steps=2000)
    bench.train()
    bench.until(lambda: not bench.engine.busy)
    messages = [a for a in bench.ear.heard if any(isinstance(e, StepEvent) for e in getattr(a, "events", ()))]
    assert len(messages) < 200


def test_preparing_happens_beside_the_worker_and_steps_in_it(make: Make) -> None:
    go_on = threading.Event()
    bench = make(preparing=lambda: go_on.wait(20))
    bench.train()
    bench.until(lambda: "preparing" in bench.tools.threads)
    bench.translate()  # while the run is preparing
    assert "steps" not in bench.tools.threads
    go_on.set()
    bench.until(lambda: not bench.engine.busy)
    assert bench.tools.threads["preparing"] != bench.tools.threads["steps"]
    assert threading.get_ident() not in bench.tools.threads.values()


def test_a_sentence_waits_at_most_for_one_step(make: Make) -> None:
    gate = Gate()
    bench = make(steps=50, before_step=gate)
    bench.translate()
    bench.train()
    gate.let(3)
    bench.until(lambda: bench.tools.made == 3)
    # The fourth step is under way, and blocks; the sentence comes right behind it.
    job = bench.engine.submit(Decode(bench.engine.new_job(), "a b"))
    gate.let(1)
    bench.until(lambda: "TraceDone" in bench.look.types(job))
    assert bench.tools.made == 4
    gate.let_all()
    gate.let(50)


def test_a_paused_run_saves_first_then_rests_while_sentences_are_translated(make: Make) -> None:
    bench = make(steps=10**9)
    job = bench.train()
    bench.until(lambda: bench.tools.made > 5)
    bench.engine.tell(CommandRun(job, "save", then_pause=True))  # as the window says it: no step between
    bench.until(lambda: "TrainingPaused" in bench.ear.types(job))
    made = bench.tools.made
    assert bench.tools.saved == [made]
    # What happened was told before: the last event is the save.
    assert bench.ear.events(job)[-1].name == "saved"
    assert bench.ear.types(job)[-1] == "TrainingPaused"
    bench.translate()
    bench.qtbot.wait(50)
    assert bench.tools.made == made
    bench.engine.tell(PauseJob(job, False))
    bench.until(lambda: bench.tools.made > made)
    assert bench.engine.busy


def test_a_paused_run_goes_on_for_a_wish_and_rests_again(make: Make) -> None:
    bench = make(steps=10**9)
    job = bench.train()
    bench.until(lambda: bench.tools.made > 0)
    bench.engine.tell(PauseJob(job, True))
    bench.until(lambda: "TrainingPaused" in bench.ear.types(job))
    bench.ear.heard.clear()
    bench.engine.tell(CommandRun(job, "snapshot"))
    bench.until(lambda: "TrainingPaused" in bench.ear.types(job))
    assert bench.ear.events(job)[-1].name == "snapshot"
    made = bench.tools.made
    bench.qtbot.wait(30)
    assert bench.tools.made == made
    bench.engine.tell(CommandRun(job, "stop"))
    bench.until(lambda: not bench.engine.busy)
    assert bench.tools.saved[-1] == bench.tools.made


def test_a_run_paused_while_preparing_rests_before_its_first_step(make: Make) -> None:
    go_on = threading.Event()
    bench = make(preparing=lambda: go_on.wait(20))
    job = bench.train()
    bench.until(lambda: "preparing" in bench.tools.threads)
    bench.engine.tell(CommandRun(job, "save"))  # nothing is there to be saved
    bench.engine.tell(PauseJob(job, True))
    bench.translate()
    assert "TrainingPaused" not in bench.ear.types(job)
    go_on.set()
    bench.until(lambda: "TrainingPaused" in bench.ear.types(job))
    bench.qtbot.wait(30)
    assert bench.tools.made == 0
    bench.engine.tell(PauseJob(job, False))
    bench.until(lambda: not bench.engine.busy)
    assert bench.tools.made == 20


def test_a_full_disk_lets_the_run_wait_without_spinning(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_job, "RETRY_SECONDS", 0.1)
    bench = make(steps=5)
    bench.tools.broken.set()
    job = bench.train()
    bench.until(lambda: bench.tools.tried >= 3)
    bench.translate()
    tried, began = bench.tools.tried, time.monotonic()
    bench.qtbot.wait(250)
    # However long a busy machine made of it: a tenth of a second lies between two tries.
    assert bench.tools.tried - tried <= (time.monotonic() - began) / 0.1 + 2
    bench.tools.broken.clear()
    bench.until(lambda: not bench.engine.busy)
    names = [event.name for event in bench.ear.events(job)]
    assert names[-4:] == ["paused", "continued", "saved", "done"]


def test_a_paused_run_that_cannot_save_keeps_trying_and_rests_when_it_has(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_job, "RETRY_SECONDS", 0.05)
    bench = make(steps=10**9)
    job = bench.train()
    bench.until(lambda: bench.tools.made > 0)
    bench.tools.broken.set()
    bench.engine.tell(CommandRun(job, "save"))
    bench.engine.tell(PauseJob(job, True))
    bench.until(lambda: bench.tools.tried >= 3)
    assert "TrainingPaused" not in bench.ear.types(job)
    bench.tools.broken.clear()
    bench.until(lambda: "TrainingPaused" in bench.ear.types(job))
    assert bench.tools.saved == [bench.tools.made]


def test_pressing_resume_tries_again_at_once(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_job, "RETRY_SECONDS", 3600.0)
    bench = make(steps=5)
    bench.tools.broken.set()
    job = bench.train()
    bench.until(lambda: bench.tools.tried == 1)
    bench.engine.tell(PauseJob(job, False))
    bench.until(lambda: bench.tools.tried == 2)
    bench.tools.broken.clear()
    bench.engine.tell(PauseJob(job, False))
    bench.until(lambda: not bench.engine.busy)
    assert bench.ear.heard[-1].done


def test_a_run_that_cannot_write_rests_in_the_slice_that_says_so(make: Make) -> None:
    # Between two slices a press of resume would wake a run that does not rest yet, and then it rests.
    bench = make(steps=5)
    bench.tools.broken.set()
    job = TrainingJob(Train(1, OPTIONS, "out"), bench.tools, lambda: None, 1)
    steps = job.steps()
    while bench.tools.tried == 0:
        last = next(steps)
    assert isinstance(last, Rest)
    bench.tools.broken.clear()
    steps.close()


def test_a_wish_to_stop_is_heard_while_preparing(make: Make) -> None:
    go_on = threading.Event()
    bench = make(preparing=lambda: go_on.wait(20))
    job = bench.train()
    bench.until(lambda: "preparing" in bench.tools.threads)
    bench.engine.tell(CommandRun(job, "stop"))
    bench.until(lambda: bench.tools.control.stop.is_set())
    go_on.set()
    bench.until(lambda: not bench.engine.busy)
    assert bench.ear.types(job)[-1] == "JobFailed"
    assert bench.ear.heard[-1].error.code == "cancelled"


def test_a_run_that_fails_has_told_everything_before(make: Make) -> None:
    def fail(step: int) -> None:
        if step == 7:
            raise HeadscopeError("training_diverged", step=7)

    bench = make(before_step=fail)
    job = bench.train()
    bench.until(lambda: not bench.engine.busy)
    assert [e.step for e in bench.ear.events(job) if isinstance(e, StepEvent)] == [1, 2, 3, 4, 5, 6]
    assert bench.ear.types(job)[-1] == "JobFailed"
    assert bench.ear.heard[-1].error.code == "training_diverged"
    assert bench.look.types() == []  # Look is not troubled
    bench.translate()


def test_closing_lets_the_run_save(make: Make) -> None:
    bench = make(steps=10**9)
    bench.train()
    bench.until(lambda: bench.tools.made > 3)
    assert bench.engine.close()
    assert bench.tools.closed.is_set()
    assert bench.tools.saved == [bench.tools.made]


def test_closing_while_the_run_is_preparing_waits_for_it_and_nothing_wakes_after(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = threading.Event()

    def prepare() -> None:
        started.set()
        threading.Event().wait(0.2)

    bench = make(preparing=prepare)
    bench.train()
    bench.until(started.is_set)
    assert bench.engine.close()
    assert bench.tools.closed.is_set()
    assert bench.tools.made == 0
    starts = Starts()
    starts.watch(monkeypatch, QTimer)
    QCoreApplication.sendPostedEvents()  # the thread beside said, at its end, that it has something to do
    assert not starts.running()


def test_a_survey_grows_and_ends_complete(make: Make) -> None:
    bench = make(steps=10**9)
    bench.train()
    bench.until(lambda: bench.tools.made > 0)
    job = bench.engine.submit(Survey(bench.engine.new_job(), OPTIONS))  # it comes before the steps

    def ended() -> int:
        surveys = [answer.survey for answer in bench.ear.heard if answer.job == job]
        return sum(survey.complete for survey in surveys)

    bench.until(lambda: ended() == 1)
    # It has ended: its id may be used again.
    bench.engine.submit(Survey(job, OPTIONS))
    bench.until(lambda: ended() == 2)


def test_a_survey_rests_while_the_window_works_and_can_be_stopped_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[bool] = []

    def surveyed(options: object, should_cancel: Callable[[], bool]) -> Iterator[CorpusSurvey]:
        asked.append(should_cancel())
        return iter(())

    tools, stopped = SimpleNamespace(survey=surveyed), threading.Event()
    context = cast(JobContext, SimpleNamespace(tools=tools, cancelled=lambda job: stopped.is_set()))
    waits, naps = iter((True, True, True, False)), list[float]()
    monkeypatch.setattr(giving_way, "has_to_wait", lambda: next(waits))
    monkeypatch.setattr(giving_way.time, "sleep", naps.append)
    assert list(training_jobs.survey(Survey(1, OPTIONS), context)) == []
    assert (naps, asked) == ([giving_way.NAP_S] * 3, [False])

    monkeypatch.setattr(giving_way, "has_to_wait", lambda: True)
    monkeypatch.setattr(giving_way.time, "sleep", lambda seconds: stopped.set())
    assert list(training_jobs.survey(Survey(2, OPTIONS), context)) == []
    assert asked == [False, True]


def test_a_survey_is_told_at_first_at_last_and_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [CorpusSurvey("tsv", complete=pairs == 99, pairs=pairs) for pairs in range(100)]
    tools = SimpleNamespace(survey=lambda options, should_cancel: iter(known))
    now = iter(range(100))
    monkeypatch.setattr(training_jobs.time, "monotonic", lambda: 0.01 * next(now))
    monkeypatch.setattr(training_jobs, "_TELL_S", 0.295)
    context = JobContext(loads(FakeSource), cast(Any, tools), 1)
    told = list(training_jobs.survey(Survey(1, OPTIONS), context))
    assert len(told) == 100  # it may be left at each
    assert [one.survey.pairs for one in told if one is not None] == [0, 30, 60, 90, 99]


def test_a_batch_is_looked_at_with_the_run_that_goes_on_into_its_folder(make: Make) -> None:
    bench = make(steps=10**9)
    bench.train("here")
    bench.until(lambda: bench.tools.made > 0)
    where = []
    for place in ("here", "elsewhere"):
        job = bench.engine.submit(ComputeBatch(bench.engine.new_job(), OPTIONS, place, 3, 2))
        bench.until(lambda job=job: "BatchSeen" in bench.ear.types(job))  # type: ignore[misc]
        assert [a.view for a in bench.ear.heard if type(a).__name__ == "BatchSeen"][-1] == ("view", 3, 2)
        where.append(bench.tools.threads["batch"])
    assert [live is not None for live in bench.tools.live] == [True, False]
    # Between two steps in their own thread; what has to be read first, beside it.
    assert where[0] == bench.tools.threads["steps"]
    assert where[1] != where[0]


@pytest.mark.parametrize(
    "request_of",
    [
        lambda job: Survey(job, type(OPTIONS)(name="bad", task="copy", task_size=10)),
        lambda job: ComputeBatch(job, OPTIONS, "x", -1),
        lambda job: OpenRun(job, "no such folder"),
    ],
)
def test_what_fails_on_the_train_page_is_said_there(make: Make, request_of: Callable[[int], Any]) -> None:
    bench = make()
    job = bench.engine.submit(request_of(bench.engine.new_job()))
    bench.until(lambda: not bench.engine.busy)
    assert bench.ear.types(job)[-1] == "JobFailed"
    assert bench.look.types() == []


@pytest.mark.parametrize(("chosen", "expected"), [(0, 2), (3, 3)])
def test_each_job_has_its_own_number_of_threads(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, chosen: int, expected: int
) -> None:
    seen: dict[str, int] = {}

    def note(who: str) -> None:
        seen[who] = torch.get_num_threads()

    tools = FakeTools(10**9, before_step=lambda step: note("step"), preparing=lambda: note("preparing"))
    source = FakeSource(before_step=lambda step: note("sentence"))
    engine = Engine(load_model=loads(lambda path: source), threads=2, tools=tools)
    look = Listener(engine)
    options = replace(OPTIONS, train=TrainConfig(threads=chosen, steps=10))
    engine.submit(Train(engine.new_job(), options, "out"))
    qtbot.waitUntil(lambda: "step" in seen, timeout=PATIENCE_MS)
    engine.submit(OpenModel(engine.new_job(), "fake"))
    job = engine.submit(Decode(engine.new_job(), "a b"))
    qtbot.waitUntil(lambda: "TraceDone" in look.types(job), timeout=PATIENCE_MS)
    assert engine.close()
    assert seen == {"preparing": 2, "step": expected, "sentence": 2}


# The collector.


def test_steps_wait_and_everything_else_goes_at_once() -> None:
    now = itertools.count()
    collector = Collector(rate=0.1, clock=lambda: next(now))  # 10 s apart; a second passes at each look
    first = step_event(1)
    assert collector.offer(first) == (first,)
    kept = [step_event(step) for step in range(2, 6)]
    assert [collector.offer(event) for event in kept] == [(), (), (), ()]
    urgent = eval_event(5)
    assert collector.offer(urgent) == (*kept, urgent)
    last = step_event(6)
    assert collector.offer(last) == ()
    assert collector.flush() == (last,)
    assert collector.flush() == ()


def test_a_new_stage_is_told_at_once_its_signs_of_life_wait() -> None:
    collector = Collector(rate=1.0, clock=lambda: 0.0)
    reading = [WorkEvent(**at(0), stage="reading", done=done) for done in range(3)]
    vocabulary = WorkEvent(**at(0), stage="vocabulary")
    assert collector.offer(reading[0]) == (reading[0],)
    assert collector.offer(reading[1]) == ()
    assert collector.offer(reading[2]) == ()
    assert collector.offer(vocabulary) == (reading[1], reading[2], vocabulary)
