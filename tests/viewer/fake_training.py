"""Training without a model: scripted events at the pace a test wants."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Slot

from model.data.pairs.survey import CorpusSurvey
from model.errors import HeadscopeError
from model.train_options import TrainOptions
from model.training.batch_view import BatchView
from model.training.control import Control
from model.training.progress.events import (
    ContinuedEvent,
    DoneEvent,
    EvalEvent,
    PausedEvent,
    SavedEvent,
    SnapshotEvent,
    StartEvent,
    StepEvent,
    TrainEvent,
    WorkEvent,
)
from viewer.engine.training_tools import ShouldCancel

OPTIONS = TrainOptions(name="fake", task="copy", task_size=10)


def at(step: int) -> dict[str, Any]:
    return {"step": step, "epoch": step / 10}


def start_event(step: int = 0) -> StartEvent:
    return StartEvent(
        **at(step),
        resumed=step > 0,
        train_pairs=10,
        dev_pairs=2,
        left_out={},
        parameters=5,
        steps_per_epoch=10,
        device="cpu",
        precision="float32",
        probe="a b",
        probe_target="",
        probe_bytes=0,
    )


def step_event(step: int, loss: float | None = None) -> StepEvent:
    return StepEvent(
        **at(step), loss=1 / step if loss is None else loss, lr=0.1, grad_norm=2.0, tokens_per_second=100.0
    )


def eval_event(step: int, bleu: float | None = 10.0) -> EvalEvent:
    return EvalEvent(**at(step), heldout_loss=3.0 / step, bleu=bleu, averaged=False, best=True)


def done_event(step: int, reason: Any = "steps") -> DoneEvent:
    return DoneEvent(**at(step), minutes=1.0, heldout_loss=1.0, bleu=None, reason=reason)


class FakeTools:
    """See `viewer.engine.training_tools.TrainingTools`.

    Args:
        steps: that a run makes.
        before_step: called in the thread that makes the step, before it; may block or raise.
        preparing: called before the first step.

    Attributes:
        broken: while it is set, nothing can be written.
        reading: called before a survey's later parts.
    """

    def __init__(
        self,
        steps: int = 20,
        before_step: Callable[[int], object] = lambda step: None,
        preparing: Callable[[], object] = lambda: None,
    ) -> None:
        self.steps, self.before_step, self.preparing = steps, before_step, preparing
        self.reading: Callable[[], object] = lambda: None
        self.broken = threading.Event()
        self.control = Control()
        self.made = 0
        self.tried = 0
        self.saved: list[int] = []
        self.closed = threading.Event()
        self.live: list[Control | None] = []
        self.threads: dict[str, int] = {}

    def train(
        self, options: TrainOptions, out: Path, *, resume: bool, command: str, control: Control
    ) -> Iterator[TrainEvent]:
        self.control = control
        begin = self.saved[-1] if resume else 0
        try:
            yield WorkEvent(**at(begin), stage="reading")
            self.threads["preparing"] = threading.get_ident()
            self.preparing()
            if control.stop.is_set():
                raise HeadscopeError("cancelled")
            trainer: Any = self
            control.trainer = trainer
            yield start_event(begin)
            for step in range(begin + 1, self.steps + 1):
                self.threads["steps"] = threading.get_ident()
                self.before_step(step)
                self.made = step
                yield step_event(step)
                yield from self._answer(step, out, control)
                if control.stop.is_set():
                    yield from self._save(step, control)
                    return
                if control.stop_after_evaluation.is_set():
                    yield eval_event(step)
                    yield from self._save(step, control)
                    yield done_event(step, "asked")
                    return
            yield from self._save(self.steps, control)
            yield done_event(self.steps)
        except GeneratorExit:
            self.saved.append(self.made)
            raise
        finally:
            self.closed.set()

    def _answer(self, step: int, out: Path, control: Control) -> Iterator[TrainEvent]:
        if control.save.is_set():
            control.save.clear()
            yield from self._save(step, control)
        if control.snapshot.is_set():
            control.snapshot.clear()
            yield SnapshotEvent(**at(step), path=str(out / "snapshots" / f"step-{step}"))

    def _save(self, step: int, control: Control) -> Iterator[TrainEvent]:
        waited = False
        while self.broken.is_set():
            self.tried, waited = self.tried + 1, True
            error = HeadscopeError("disk_full", path="x", reason="full")
            if control.stop.is_set():
                raise error
            yield PausedEvent(**at(step), error=error)
        if waited:
            yield ContinuedEvent(**at(step))
        self.saved.append(step)
        yield SavedEvent(**at(step), path="x")

    def survey(self, options: TrainOptions, should_cancel: ShouldCancel) -> Iterator[CorpusSurvey]:
        if options.name == "bad":
            raise HeadscopeError("file_missing", path="x", reason="gone")
        for done in (1, 2, 3):
            if done > 1:
                self.reading()
            yield CorpusSurvey("task", complete=done == 3, done=done, total=3, pairs=10 * done)

    def look_at_batch(
        self, options: TrainOptions, out: Path, step: int, pad: int, live: Control | None
    ) -> Generator[WorkEvent, None, BatchView]:
        self.live.append(live)
        self.threads["batch"] = threading.get_ident()
        yield WorkEvent(**at(max(0, step)), stage="reading")
        if step < 0:
            raise HeadscopeError("training_no_pairs")
        view: Any = ("view", step, pad)
        return view

    def measured_speed(self, options: TrainOptions, tokens: float) -> Generator[None, None, float]:
        self.threads["speed"] = threading.get_ident()
        yield
        if tokens < 0:
            raise HeadscopeError("training_no_pairs")
        return 100 * tokens


class Ear(QObject):
    """Keeps what an engine answers of training, heard in the main thread."""

    def __init__(self, engine: Any) -> None:
        super().__init__()
        self.heard: list[Any] = []
        engine.training_answered.connect(self.hear)

    @Slot(object)
    def hear(self, answer: object) -> None:
        assert threading.current_thread() is threading.main_thread()
        self.heard.append(answer)

    def types(self, job: int | None = None) -> list[str]:
        return [type(a).__name__ for a in self.heard if job is None or a.job == job]

    def events(self, job: int | None = None) -> list[TrainEvent]:
        told = [a for a in self.heard if type(a).__name__ == "TrainingHappened"]
        return [event for a in told if job in (None, a.job) for event in a.events]
