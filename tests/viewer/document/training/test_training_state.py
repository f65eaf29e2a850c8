"""What the Train page shows: which signal says what, once, and what stays when a run goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.data.pairs.survey import CorpusSurvey
from model.errors import HeadscopeError
from model.training.progress.events import ContinuedEvent, PausedEvent, ProbeEvent, WorkEvent
from model.training.progress.history import StoredRun
from tests.viewer.fake_source import small_trace
from tests.viewer.fake_training import OPTIONS, at, done_event, eval_event, start_event, step_event
from viewer.document.messages.notice import Notice
from viewer.document.messages.training_requests import StartRun
from viewer.document.training.training import Training

SIGNALS = (
    "phase_changed",
    "work_changed",
    "steps_added",
    "evaluated",
    "probe_changed",
    "survey_changed",
    "batch_changed",
    "offer_changed",
    "reset",
)
ORDER = StartRun(OPTIONS, "out")


class Heard(list[str]):
    """The names of the signals in the order they came; emptied by `take`."""

    def __init__(self, training: Training) -> None:
        super().__init__()
        for name in SIGNALS:
            getattr(training, name).connect(lambda name=name: self.append(name))

    def take(self) -> list[str]:
        said = list(self)
        self.clear()
        return said


@pytest.fixture
def training() -> Training:
    training = Training()
    training.begin(ORDER)
    return training


@pytest.fixture
def heard(training: Training) -> Heard:
    return Heard(training)


def probe(step: int) -> ProbeEvent:
    return ProbeEvent(**at(step), trace=small_trace())


def paused(step: int) -> PausedEvent:
    return PausedEvent(**at(step), error=HeadscopeError("disk_full", path="x", reason="full"))


def test_many_events_are_one_signal_of_each_kind(training: Training, heard: Heard) -> None:
    training.take([start_event(), *(step_event(step) for step in range(1, 50)), eval_event(49), probe(49)])
    assert sorted(heard.take()) == sorted(["steps_added", "evaluated", "probe_changed", "phase_changed"])
    assert training.phase == "running"
    assert training.last_step is not None
    assert training.last_step.step == 49
    assert len(training.curves.series("loss")[0]) == 49
    assert [event.step for event in training.evals] == [49]
    training.take([])
    training.take([step_event(50)])
    assert heard.take() == ["steps_added"]


def test_work_shows_until_something_comes_of_it(training: Training, heard: Heard) -> None:
    work = WorkEvent(**at(0), stage="vocabulary")
    training.take([work])
    assert heard.take() == ["work_changed"]
    assert training.work is work
    training.take([start_event()])
    assert "work_changed" in heard.take()
    assert training.work is None


def test_a_full_disk_is_said_until_it_is_mended(training: Training, heard: Heard) -> None:
    training.take([start_event(), paused(0)])
    heard.clear()
    training.take([paused(0)])
    assert heard.take() == []
    assert training.phase == "waiting"
    assert training.active
    assert training.problem is not None
    assert training.problem.code == "disk_full"
    training.take([ContinuedEvent(**at(0))])
    assert heard.take() == ["phase_changed"]
    assert str(training.phase) == "running"
    assert training.problem is None


def test_what_a_person_asked_for_stays_in_view(training: Training) -> None:
    training.take([start_event()])
    training.set_phase("stopping")
    training.take([step_event(1), eval_event(1)])
    assert training.phase == "stopping"


def test_nothing_is_said_twice(training: Training, heard: Heard) -> None:
    survey = CorpusSurvey("task")
    for _ in range(2):
        training.set_phase("paused")
        training.set_offer("folder")
        training.set_survey(survey, surveying=True)
        training.set_batch(None, Notice("training_no_pairs"))
    assert heard.take() == ["phase_changed", "offer_changed", "survey_changed", "batch_changed"]


def test_an_ended_run_stays_in_view_until_another_begins(training: Training, heard: Heard) -> None:
    training.take([start_event(), step_event(1), eval_event(1), probe(1), done_event(1)])
    training.set_phase("ended")
    assert not training.active
    assert len(training.curves.series("loss")[0]) == 1
    assert training.done is not None
    heard.clear()
    training.begin(StartRun(OPTIONS, "elsewhere"))
    assert heard.take() == ["reset"]
    assert len(training.curves.series("loss")[0]) == 0
    assert [training.evals, training.probe, training.last_step, training.done] == [(), None, None, None]


def test_a_run_that_goes_on_keeps_what_it_had_up_to_its_save(training: Training, heard: Heard) -> None:
    training.take([start_event(), *(step_event(step) for step in range(1, 9)), eval_event(4), eval_event(8)])
    training.take([probe(8)])
    training.set_phase("ended", resumable=True)
    heard.clear()
    training.begin(StartRun(OPTIONS, "out", resume=True))
    assert "reset" not in heard.take()
    training.take([start_event(5)])
    assert training.curves.series("loss")[0].tolist() == [1, 2, 3, 4, 5]
    assert [event.step for event in training.evals] == [4]
    assert training.probe is None
    training.take([step_event(6), eval_event(6), eval_event(6)])
    assert [event.step for event in training.evals] == [4, 6]


def stored(tmp_path: Path, **changes: Any) -> StoredRun:
    values: dict[str, Any] = {
        "out": tmp_path,
        "options": OPTIONS,
        "step": 3,
        "minutes": 1.0,
        "resumable": True,
        "start": start_event(),
        "history": np.array([[1, 4.0, 0.1, 1.0, 50.0], [2, 3.0, 0.2, 2.0, 60.0], [3, 2.0, 0.3, 3.0, 70.0]]),
        "evals": (eval_event(2),),
        "done": None,
        "frames": (),
    }
    return StoredRun(**{**values, **changes})


def test_a_run_on_disk_comes_into_view_whole(training: Training, heard: Heard, tmp_path: Path) -> None:
    training.set_phase("ended")
    heard.clear()
    training.show_run(stored(tmp_path))
    assert heard.take() == ["reset"]
    assert training.curves.series("loss")[1].tolist() == [4, 3, 2]
    assert training.curves.series("lr")[1].tolist() == [0.1, 0.2, 0.3]
    assert training.curves.series("grad_norm")[1].tolist() == [1, 2, 3]
    assert training.curves.series("tokens_per_second")[1].tolist() == [50, 60, 70]
    assert training.curves.series("bleu")[0].tolist() == [2]
    assert training.last_step is not None
    assert (training.last_step.step, training.last_step.loss, training.last_step.epoch) == (3, 2.0, 0.3)
    assert training.order == StartRun(OPTIONS, str(tmp_path), resume=True)
    assert (training.phase, training.resumable) == ("ended", True)


@pytest.mark.parametrize(("reason", "resumable"), [("steps", False), ("patience", False), ("asked", True)])
def test_only_a_run_with_more_to_do_can_be_resumed(
    training: Training, tmp_path: Path, reason: str, resumable: bool
) -> None:
    training.set_phase("ended")
    training.show_run(stored(tmp_path, done=done_event(3, reason)))
    assert training.resumable is resumable


def test_a_run_without_a_history_has_empty_curves(training: Training, tmp_path: Path) -> None:
    training.set_phase("ended")
    training.show_run(stored(tmp_path, history=np.empty((0, 5)), evals=(), start=None, resumable=False))
    assert training.last_step is None
    assert len(training.curves.series("loss")[0]) == 0
