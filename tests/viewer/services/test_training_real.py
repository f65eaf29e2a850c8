"""Real small runs in the window: trained, paused, stopped, resumed, closed, while it translates."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from safetensors.numpy import load_file

from model.files.files import folder_lock
from model.train_options import TrainOptions
from tests.assets import SENTENCE
from tests.model.tiny_training import options, state_metadata, write_pairs
from tests.viewer.driving import PATIENCE_MS, Driver, start
from tests.viewer.fake_training import OPTIONS, FakeTools
from viewer.app import Program
from viewer.document.messages.training_requests import (
    MakeBatch,
    PauseRun,
    ReadCorpus,
    ResumeRun,
    StartRun,
    StopRun,
    UseRun,
)
from viewer.engine.engine import Engine
from viewer.window.settings import Settings

ROOT = Path(__file__).resolve().parents[3]
STATE = "training_state.safetensors"


class Trainee(Driver):
    """A person who trains."""

    def __init__(self, driver: Driver, folder: Path) -> None:
        super().__init__(driver.qtbot, driver.program)
        self.training = driver.program.training
        self.conductor = driver.program.training_conductor
        self.folder = folder
        self.pairs = write_pairs(folder / "pairs.tsv")
        self.out = folder / "out"

    def options(self, **changes: Any) -> TrainOptions:
        return options(self.pairs, **{"threads": 1, "eval_every": 10**6, **changes})

    def begin(self, *, resume: bool = False, **changes: Any) -> None:
        """As the page's Start button does."""
        order = StartRun(self.options(**changes), str(self.out), resume)
        self.training.ask(order)

    def until_phase(self, phase: str) -> None:
        self.wait(lambda: self.training.phase == phase)

    def until_step(self, step: int) -> None:
        self.wait(lambda: self.steps()[-1:] >= [step])

    def steps(self) -> list[int]:
        return [int(step) for step in self.training.curves.series("loss")[0]]

    def saved_step(self) -> int:
        return int(state_metadata(self.out)["step"])


@pytest.fixture
def person(qtbot: QtBot, tmp_path: Path) -> Iterator[Trainee]:
    person = Trainee(start(qtbot, tmp_path), tmp_path)
    yield person
    person.window.close()
    person.wait(lambda: not person.window.isVisible())
    assert person.program.ended


ENDLESS = 10**6


def test_a_run_is_trained_paused_stopped_resumed_and_done(person: Trainee, tiny_bundle: Path) -> None:
    person.open(tiny_bundle)
    person.begin(steps=ENDLESS)
    person.until_step(5)
    assert person.training.start is not None
    assert person.training.start.train_pairs > 0
    person.translate(SENTENCE)  # while it trains

    person.conductor.pause()
    person.until_phase("paused")
    rested = person.steps()[-1]
    assert person.saved_step() == rested
    person.translate("We are going home.")  # while it is paused
    assert person.steps()[-1] == rested

    person.conductor.resume()
    person.until_step(rested + 3)
    person.conductor.stop()
    person.until_phase("ended")
    stopped = person.steps()[-1]
    assert person.saved_step() == stopped
    assert person.training.resumable

    goal = stopped + 6
    person.conductor.start(StartRun(person.options(steps=goal), str(person.out), resume=True))
    person.until_phase("ended")
    assert person.steps() == list(range(1, goal + 1))
    assert person.training.done is not None
    assert person.training.done.step == goal
    assert not person.training.resumable
    assert person.session.notice is None
    person.conductor.use_now()
    person.wait(lambda: person.session.model is not None and person.session.model.path == str(person.out))
    person.wait(person.translated)


def test_pausing_and_translating_change_nothing_of_the_path(person: Trainee, tiny_bundle: Path) -> None:
    person.open(tiny_bundle)
    person.begin(steps=ENDLESS, dropout=0.3)
    for step in (4, 9, 14):
        person.until_step(step)
        person.conductor.pause()
        person.until_phase("paused")
        person.translate(SENTENCE)
        person.conductor.resume()
    person.conductor.stop()
    person.until_phase("ended")
    disturbed = person.training.curves.series("loss")
    steps = int(disturbed[0][-1])

    person.out = person.folder / "again"
    person.begin(steps=steps, dropout=0.3, bleu_sentences=0)
    person.until_phase("ended")
    undisturbed = person.training.curves.series("loss")
    np.testing.assert_array_equal(undisturbed[1], disturbed[1])


def test_the_model_of_the_moment_translates_in_look_while_the_run_goes_on(person: Trainee) -> None:
    person.begin(steps=ENDLESS)
    person.until_step(5)
    person.conductor.use_now()
    person.wait(lambda: person.session.model is not None)
    model = person.session.model
    assert model is not None
    assert Path(model.path).parent == person.out / "snapshots"
    person.wait(person.translated)
    trace = person.session.trace()
    assert trace is not None
    assert person.training.start is not None
    assert trace.src_text == person.training.start.probe
    before = person.steps()[-1]
    person.until_step(before + 2)
    weights = load_file(Path(model.path) / "model.safetensors")
    assert all(np.isfinite(array).all() for array in weights.values())


def test_closing_the_window_saves_first(person: Trainee) -> None:
    person.begin(steps=ENDLESS)
    person.until_step(3)
    person.window.close()
    assert person.window.isVisible()
    assert person.session.notice is not None
    assert person.session.notice.code == "training_saving"
    person.wait(lambda: not person.window.isVisible())
    assert person.program.ended
    assert person.saved_step() == person.steps()[-1]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("headscope")]


def test_garbage_is_collected_in_the_window_s_thread_alone_while_it_trains(person: Trainee) -> None:
    gc.unfreeze()  # what the tests have left out
    person.begin(steps=ENDLESS)
    person.until_step(2)
    assert not gc.isenabled()
    assert gc.get_freeze_count() > 0  # torch's objects are left out, though no model is open
    where: list[int] = []
    holder = type("Holder", (), {})()
    holder.me = holder
    weakref.finalize(holder, lambda: where.append(threading.get_ident()))
    del holder
    person.wait(lambda: bool(where))
    assert where == [threading.get_ident()]


def test_the_page_s_buttons_reach_the_run(person: Trainee) -> None:
    person.begin(steps=ENDLESS)
    person.until_step(2)
    person.training.ask(PauseRun())
    person.until_phase("paused")
    person.training.ask(ResumeRun())
    person.until_phase("running")
    person.training.ask(StopRun(evaluate=True))
    person.until_phase("ended")
    assert len(person.training.evals) == 1
    person.training.ask(UseRun())
    person.wait(lambda: person.session.model is not None and person.session.model.path == str(person.out))
    person.wait(person.translated)


def test_a_second_close_is_obeyed_and_loses_nothing_saved(person: Trainee) -> None:
    person.begin(steps=ENDLESS, save_every=2)
    person.until_step(6)
    person.window.close()
    person.window.close()
    assert not person.window.isVisible()
    assert person.program.ended
    assert person.saved_step() >= 6


def test_closing_a_paused_run_keeps_its_save(person: Trainee) -> None:
    person.begin(steps=ENDLESS)
    person.until_step(3)
    person.conductor.pause()
    person.until_phase("paused")
    rested = person.steps()[-1]
    person.window.close()
    person.wait(lambda: not person.window.isVisible())
    assert person.saved_step() == person.steps()[-1] >= rested


def test_a_killed_run_is_offered_and_its_curve_goes_on_from_the_save(
    person: Trainee, qtbot: QtBot, tmp_path: Path
) -> None:
    person.begin(steps=ENDLESS)
    person.until_step(5)
    person.window.close()
    person.wait(lambda: not person.window.isVisible())
    saved = person.saved_step()
    losses = person.training.curves.series("loss")[1][:saved].tolist()

    again = Trainee(start(qtbot, tmp_path), tmp_path)
    try:
        assert again.training.offer == str(again.out)
        again.conductor.open_run(again.training.offer)
        again.until_phase("ended")
        assert again.training.offer == ""
        assert again.training.curves.series("loss")[1].tolist() == losses
        assert again.training.resumable
        again.conductor.resume()
        again.until_step(saved + 3)
        assert again.steps()[: saved + 3] == list(range(1, saved + 4))
    finally:
        again.window.close()
        again.wait(lambda: not again.window.isVisible())


def test_a_resumed_run_goes_on_as_it_was(person: Trainee) -> None:
    # One that is not in view shows what came before.
    person.begin(steps=5)
    person.until_phase("ended")
    person.conductor.start(StartRun(person.options(steps=3), str(person.folder / "other")))
    person.until_phase("ended")
    assert person.steps() == [1, 2, 3]
    person.begin(resume=True, steps=8)
    person.wait(lambda: person.training.phase == "ended" and person.steps()[-1:] == [8])
    assert person.steps() == list(range(1, 9))

    # Its own options count when the form says something else.
    person.out = person.folder / "own"
    person.begin(steps=ENDLESS)
    person.until_step(4)
    person.conductor.stop()
    person.until_phase("ended")
    person.begin(resume=True, steps=3, d_ff=128)
    person.until_phase("running")
    assert person.training.order is not None
    assert person.training.order.options == person.options(steps=ENDLESS)
    person.conductor.stop()
    person.until_phase("ended")

    # One that is done goes farther when it is told to.
    person.out = person.folder / "done"
    person.begin(steps=3)
    person.until_phase("ended")
    person.begin(resume=True, steps=6, d_ff=128)
    person.wait(lambda: person.training.phase == "ended" and person.steps()[-1:] == [6])
    assert person.training.order is not None
    assert person.training.order.options == person.options(steps=6)


def test_numbers_that_nobody_gave_are_the_run_s_from_its_first_step_on(person: Trainee) -> None:
    asked = {"auto": ("warmup", "learning_rate"), "warmup": 4000, "learning_rate": 1.0}
    person.begin(steps=4000, **asked)
    person.until_step(3)
    person.conductor.stop()
    person.until_phase("ended")
    order = person.training.order
    assert order is not None
    assert (order.options.auto, order.options.train.warmup) == ((), 1000)
    last = person.steps()[-1] + 2
    # The form still says that nobody gave them, and another limit.
    person.begin(resume=True, steps=last, **asked)
    person.wait(lambda: person.training.phase == "ended" and person.steps()[-1:] == [last])
    assert person.training.order is not None
    assert person.training.order.options == order.options.resumed_with({"steps": last})


def test_a_window_waits_for_a_save_only_so_long(person: Trainee, monkeypatch: pytest.MonkeyPatch) -> None:
    person.begin(steps=ENDLESS)
    person.until_step(3)
    monkeypatch.setattr(person.conductor, "stop", lambda: None)  # a save that takes for ever
    person.program._saved_in_time.setInterval(50)
    person.window.close()
    assert person.window.isVisible()
    person.wait(lambda: not person.window.isVisible())
    assert person.program.ended


def test_a_window_whose_run_cannot_be_saved_stays_to_say_so(qtbot: QtBot, tmp_path: Path) -> None:
    tools = FakeTools(10**9)
    program = Program(Settings(str(tmp_path / "s.ini")), language="en", engine=Engine(threads=1, tools=tools))
    qtbot.addWidget(program.window)  # which nothing else would delete while Qt is there
    program.window.show()
    program.training_conductor.start(StartRun(OPTIONS, str(tmp_path / "out")))
    qtbot.waitUntil(lambda: program.training.last_step is not None, timeout=PATIENCE_MS)
    tools.broken.set()
    program.window.close()
    qtbot.waitUntil(lambda: program.training.phase == "failed", timeout=PATIENCE_MS)
    assert program.window.isVisible()
    assert program.session.notice is not None
    assert program.session.notice.code == "disk_full"
    program.window.close()
    assert not program.window.isVisible()
    assert program.ended


TERMINATED = """
import os, signal, sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from tests.model.tiny_training import options
from pathlib import Path
from viewer.app import Program, quitting_on_signals
from viewer.document.messages.training_requests import StartRun
from viewer.window.settings import Settings

application = QApplication([])
folder = Path(sys.argv[1])
program = Program(Settings(str(folder / "settings.ini")), language="en")
program.window.show()
order = StartRun(options(folder / "pairs.tsv", steps=10**6, threads=1, eval_every=10**6), str(folder / "out"))
program.training.ask(order)
sent = []

def terminate():
    last = program.training.last_step
    if last is not None and last.step > 3 and not sent:
        sent.append(last.step)
        os.kill(os.getpid(), signal.SIGTERM)

timer = QTimer()
timer.timeout.connect(terminate)
timer.start(20)
with quitting_on_signals(application) as begin:
    QTimer.singleShot(0, begin)
    application.exec()
timer.stop()
program.shut_down()
print(program.ended, program.training.last_step.step)
"""


@pytest.mark.slow
def test_a_terminated_window_saves_the_run(tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs.tsv")
    command = [sys.executable, "-c", TERMINATED, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    ended, step = done.stdout.split()
    assert ended == "True"
    assert state_metadata(tmp_path / "out")["step"] == step


def test_what_cannot_begin_is_a_sentence_and_the_window_goes_on(person: Trainee, tiny_bundle: Path) -> None:
    # Stopped before there is anything, a run leaves no folder.
    person.begin(steps=5)
    person.conductor.stop()
    person.until_phase("idle")
    assert not person.out.exists()

    # A folder in use.
    with folder_lock(person.out):
        person.begin(steps=5)
        person.until_phase("failed")
    assert person.training.problem is not None
    assert person.training.problem.code == "folder_busy"
    assert not person.out.exists()
    person.begin(steps=2)
    person.until_phase("ended")

    # A missing corpus.
    person.out = person.folder / "other"
    person.pairs.unlink()
    person.begin(steps=5)
    person.until_phase("failed")
    assert person.training.problem is not None
    assert str(person.pairs) in person.training.problem.sentence()
    assert person.session.notice is None
    person.open(tiny_bundle)
    person.translate(SENTENCE)


def test_the_survey_and_the_batch_of_a_live_run(person: Trainee) -> None:
    person.begin(steps=ENDLESS)
    person.until_step(2)
    person.training.ask(ReadCorpus(person.options()))
    person.wait(lambda: not person.training.surveying)
    survey = person.training.survey
    assert survey is not None
    assert survey.pairs == len(person.pairs.read_text(encoding="utf-8").splitlines())
    person.conductor.look_at_batch(MakeBatch(person.options(), str(person.out), 1, 3))
    person.wait(lambda: not person.training.looking)
    batch = person.training.batch
    assert batch is not None
    assert batch.source.shape == batch.source_mask.shape
    assert batch.loss == pytest.approx(batch.padded_loss, abs=1e-5)


def test_the_log_tells_the_whole_story(person: Trainee) -> None:
    person.begin(steps=4)
    person.until_phase("ended")
    lines = (person.out / "training_log.jsonl").read_text(encoding="utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    assert entries[0]["command"].startswith("headscope train --pairs ")
    assert entries[-1]["event"] == "done"
    assert (person.out / STATE).is_file()
