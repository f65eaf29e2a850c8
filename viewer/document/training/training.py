"""The training in view: the one place that knows what the Train page shows. QtCore only."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QObject, Signal

from model.data.pairs.survey import CorpusSurvey
from model.training.batch_view import BatchView
from model.training.progress.events import (
    ContinuedEvent,
    DoneEvent,
    EvalEvent,
    PausedEvent,
    ProbeEvent,
    StartEvent,
    StepEvent,
    TrainEvent,
    WorkEvent,
)
from model.training.progress.history import COLUMNS, StoredRun
from viewer.document.messages.notice import Notice
from viewer.document.messages.request_bus import RequestBus
from viewer.document.messages.training_requests import StartRun
from viewer.document.training.curves import Curves

Phase = Literal["idle", "preparing", "running", "pausing", "paused", "waiting", "stopping", "ended", "failed"]
"""`waiting`: something could not be written, see `problem`; `stopping`: as soon as may be."""


class Training(RequestBus):
    """Holds what is known of the run in view; views read it and subscribe, the conductor fills it.

    Attributes:
        problem: what the person should read of the run; set while `waiting`, and when it `failed`.
        resumable: whether the run in view, which goes on no more, can be gone on with.
        survey_problem, batch_problem: why the survey or the batch that was asked for last did not come.
        surveying, looking: whether a survey or a batch is being made.
        speeds: batch tokens a second that this machine was measured to make, by what they depend on.
        offer: folder of the last run when it did not come to its end: "Resume" may be offered; or "".

    Signals:
        phase_changed: `phase`, `problem`, `order`, `start`, `done` or `resumable` changed.
        work_changed: `work` changed.
        steps_added: the curves and `last_step` grew; at most some 15 times a second.
        evaluated: `evals` grew.
        probe_changed: `probe` is another.
        survey_changed, batch_changed: `survey` or `batch`, its problem, or whether it is being made changed.
        speed_measured: `speeds` grew.
        offer_changed: `offer` changed.
        reset: another run is in view: everything may be different.
    """

    phase_changed = Signal()
    work_changed = Signal()
    steps_added = Signal()
    evaluated = Signal()
    probe_changed = Signal()
    survey_changed = Signal()
    batch_changed = Signal()
    speed_measured = Signal()
    offer_changed = Signal()
    reset = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.phase: Phase = "idle"
        self.problem: Notice | None = None
        self.order: StartRun | None = None
        self.start: StartEvent | None = None
        self.work: WorkEvent | None = None
        self.curves = Curves()
        self.last_step: StepEvent | None = None
        self.evals: tuple[EvalEvent, ...] = ()
        self.probe: ProbeEvent | None = None
        self.done: DoneEvent | None = None
        self.resumable = False
        self.survey: CorpusSurvey | None = None
        self.survey_problem: Notice | None = None
        self.surveying = False
        self.speeds: dict[Hashable, float] = {}
        self.batch: BatchView | None = None
        self.batch_problem: Notice | None = None
        self.looking = False
        self.offer = ""

    @property
    def active(self) -> bool:
        """Whether a run is going on, paused or waiting."""
        return self.phase not in ("idle", "ended", "failed")

    # What the conductor says.

    def begin(self, order: StartRun) -> None:
        """A run is about to start; what is in view of the same folder stays if it is gone on with."""
        same = order.resume and self.order is not None and self.order.out == order.out
        self.order, self.phase, self.problem = order, "preparing", None
        self.start, self.work, self.done, self.resumable = None, None, None, False
        if same:
            self.work_changed.emit()
            self.phase_changed.emit()
        else:
            self._empty()
            self.reset.emit()

    def show_run(self, run: StoredRun, probe: ProbeEvent | None = None) -> None:
        """Put a run that lies on disk in view; `probe` is the last that was kept of it."""
        self.order, self.phase, self.problem = StartRun(run.options, str(run.out), resume=True), "ended", None
        self.start, self.work, self.done = run.start, None, run.done
        self.resumable = run.resumable and goes_on(run.done)
        self._empty()
        rows = run.history
        self.curves.add_steps(rows[:, 0], {name: rows[:, 1 + i] for i, name in enumerate(COLUMNS[1:])})
        for event in run.evals:
            self.curves.add_evaluation(event)
        self.evals, self.probe = run.evals, probe
        if len(rows):
            step, loss, lr, grad_norm, speed = rows[-1]
            self.last_step = StepEvent(
                step=int(step),
                epoch=_epoch(run, int(step)),
                loss=float(loss),
                lr=float(lr),
                grad_norm=float(grad_norm),
                tokens_per_second=float(speed),
            )
        self.reset.emit()

    def forget(self) -> None:
        """Have no run in view."""
        self.order, self.phase, self.problem = None, "idle", None
        self.start, self.work, self.done, self.resumable = None, None, None, False
        self._empty()
        self.reset.emit()

    def take(self, events: Sequence[TrainEvent]) -> None:
        """Take events of the run in view, in order; each signal that applies is emitted once, at the end."""
        before = (self.phase, self.problem, self.start, self.done)
        work, last_step, evals, probe = self.work, self.last_step, self.evals, self.probe
        for event in events:
            self._take(event)
        if self.work is not work:
            self.work_changed.emit()
        if self.last_step is not last_step:
            self.steps_added.emit()
        if self.evals is not evals:
            self.evaluated.emit()
        if self.probe is not probe:
            self.probe_changed.emit()
        if (self.phase, self.problem, self.start, self.done) != before:
            self.phase_changed.emit()

    def set_phase(self, phase: Phase, problem: Notice | None = None, *, resumable: bool = False) -> None:
        """Say where the run stands."""
        if (phase, problem, resumable) == (self.phase, self.problem, self.resumable):
            return
        self.phase, self.problem, self.resumable = phase, problem, resumable
        if not self.active and self.work is not None:
            self.work = None
            self.work_changed.emit()
        self.phase_changed.emit()

    def set_survey(
        self, survey: CorpusSurvey | None, problem: Notice | None = None, *, surveying: bool = False
    ) -> None:
        """Take what is known of the corpus."""
        if survey is self.survey and (problem, surveying) == (self.survey_problem, self.surveying):
            return
        self.survey, self.survey_problem, self.surveying = survey, problem, surveying
        self.survey_changed.emit()

    def add_speed(self, key: Hashable, speed: float) -> None:
        """Take how fast this machine is at what the key stands for."""
        self.speeds[key] = speed
        self.speed_measured.emit()

    def set_batch(
        self, batch: BatchView | None, problem: Notice | None = None, *, looking: bool = False
    ) -> None:
        """Take the batch that was asked for."""
        if batch is self.batch and (problem, looking) == (self.batch_problem, self.looking):
            return
        self.batch, self.batch_problem, self.looking = batch, problem, looking
        self.batch_changed.emit()

    def set_offer(self, folder: str) -> None:
        """Offer to go on with the run in a folder; "" offers nothing."""
        if folder != self.offer:
            self.offer = folder
            self.offer_changed.emit()

    # Events.

    def _take(self, event: TrainEvent) -> None:
        """Take one event; nothing is emitted.

        What a person asked for (`pausing`, `stopping`) stays in view until it has come about.
        """
        if isinstance(event, StepEvent):
            self.curves.add_step(event)
            self.last_step, self.work = event, None
        elif isinstance(event, EvalEvent):
            self.curves.add_evaluation(event)
            before = (known for known in self.evals if known.step < event.step)
            self.evals, self.work = (*before, event), None
        elif isinstance(event, WorkEvent):
            if event.stage not in ("training", "probe"):  # which follow one another many times a second
                self.work = event
        elif isinstance(event, ProbeEvent):
            self.probe = event
        elif isinstance(event, StartEvent):
            self._start(event)
        elif isinstance(event, PausedEvent):
            self.phase, self.problem = "waiting", Notice.of(event.error)
        elif isinstance(event, ContinuedEvent):
            self.phase, self.problem = "preparing" if self.start is None else "running", None
        elif isinstance(event, DoneEvent):
            self.done = event

    def _start(self, event: StartEvent) -> None:
        self.start, self.work = event, None
        if self.order is not None and self.order.options.auto:
            # From here on they are what the run has worked out and recorded.
            options = self.order.options.taking({one.name: one.value for one in event.derived})
            self.order = replace(self.order, options=replace(options, auto=()))
        if self.phase == "preparing":
            self.phase = "running"
        # A run that was killed goes on from its last save: what came after is made again.
        self.curves.keep_until(event.step)
        self.evals = tuple(known for known in self.evals if known.step <= event.step)
        if self.last_step is not None and self.last_step.step > event.step:
            self.last_step = None
        if self.probe is not None and self.probe.step > event.step:
            self.probe = None

    def _empty(self) -> None:
        self.curves, self.evals = Curves(), ()
        self.last_step = self.probe = None


def goes_on(done: DoneEvent | None) -> bool:
    """Whether a run has more to do: it came to no end, or only because a person asked it to end."""
    return done is None or done.reason == "asked"


def _epoch(run: StoredRun, step: int) -> float:
    """Passes over the data after a step, which the history does not keep: exact at an evaluation."""
    known = [event.epoch for event in run.evals if event.step == step]
    if known:
        return known[-1]
    return step / run.start.steps_per_epoch if run.start is not None and run.start.steps_per_epoch else 0.0
