"""Training conductor: runs start, pause, end and are used as is asked; their events fill the state."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from model.errors import HeadscopeError
from model.quoting import joined
from model.train_options import LIMITS, TrainOptions
from model.training.progress.events import ContinuedEvent, SnapshotEvent, TrainEvent
from model.training.progress.history import StoredRun
from model.training.progress.progress import TRAINING_STATE
from viewer.document.messages.messages import JobCancelled, JobFailed, PauseJob
from viewer.document.messages.notice import Notice
from viewer.document.messages.training_messages import (
    BatchSeen,
    CommandRun,
    ComputeBatch,
    MeasureSpeed,
    OpenRun,
    RunCommand,
    RunOpened,
    SpeedMeasured,
    Survey,
    Surveyed,
    Train,
    TrainingAnswer,
    TrainingEnded,
    TrainingHappened,
    TrainingPaused,
)
from viewer.document.messages.training_requests import (
    MakeBatch,
    PauseRun,
    ReadCorpus,
    ResumeRun,
    ShowRun,
    StartRun,
    StopBatch,
    StopReading,
    StopRun,
    TimeSteps,
    UseRun,
)
from viewer.document.training.training import Phase, Training, goes_on
from viewer.services.engine_protocol import EngineLike


class UnfinishedRun(Protocol):
    """What is remembered between starts; see `viewer.window.settings.Settings`.

    Attributes:
        unfinished_training: folder of the last training run that did not come to its end; or "".
    """

    unfinished_training: str


class TrainingConductor(QObject):
    """Answers what is asked of training; owns no truth but which job is whose.

    Args:
        use_model: opens a bundle folder in Look; its second argument is a sentence that suits it.

    Signals:
        rested: the run that went on has ended, whatever its end.
    """

    rested = Signal()

    def __init__(
        self,
        training: Training,
        engine: EngineLike,
        settings: UnfinishedRun,
        use_model: Callable[[str, str], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._training = training
        self._engine = engine
        self._settings = settings
        self._use_model = use_model
        self._job = 0  # the run that goes on
        self._survey = self._batch = self._opening = self._speed = 0
        self._speed_key: Hashable = None
        self._waiting: StartRun | None = None  # to be resumed when what lies in its folder is known
        self._paused = self._ending = False  # what the person asked of it
        self._using = False  # the next snapshot is to be opened
        engine.training_answered.connect(self._answered)
        training.serve(
            {
                StartRun: self.start,
                PauseRun: lambda _: self.pause(),
                ResumeRun: lambda _: self.resume(),
                StopRun: lambda asked: self.stop(evaluate=asked.evaluate),
                UseRun: lambda _: self.use_now(),
                ShowRun: lambda asked: self.open_run(asked.folder),
                ReadCorpus: self.survey,
                StopReading: lambda _: self._engine.cancel(self._survey),
                MakeBatch: self.look_at_batch,
                StopBatch: lambda _: self._engine.cancel(self._batch),
                TimeSteps: self.measure_speed,
            }
        )
        self._offer()

    @property
    def unsaved(self) -> bool:
        """Whether a run goes on that has made steps: to end it, `stop` it and wait until it has `rested`."""
        return bool(self._job) and self._training.start is not None

    # Intents.

    def start(self, order: StartRun) -> None:
        """Train; one run at a time.

        A run that lies on disk is opened first: what it has measured is to be seen, and its own options
        count, but for what the order may change of it.
        """
        if self._training.active:
            return
        if order.resume:
            self._waiting = order
            self._training.begin(order)
            self._open(order.out)
        else:
            self._begin(order)

    def pause(self) -> None:
        """Save, then give the run no more time."""
        if not self._job or self._training.phase not in ("preparing", "running", "waiting"):
            return
        self._paused = True
        self._training.set_phase("pausing")
        self._engine.tell(CommandRun(self._job, "save", then_pause=True))  # it saves if it has made a step

    def resume(self) -> None:
        """Go on with a paused run, try again what could not be written, or continue a run that ended."""
        training = self._training
        if self._job:
            self._paused = False
            if training.phase in ("pausing", "paused"):
                training.set_phase(self._going())
            self._engine.tell(PauseJob(self._job, False))
        elif training.resumable and training.order is not None:
            self._begin(StartRun(training.order.options, training.order.out, resume=True))

    def stop(self, *, evaluate: bool = False) -> None:
        """Save and end the run as soon as may be, or evaluate it before; it can be resumed."""
        self._end("stop_after_evaluation" if evaluate else "stop")

    def use_now(self) -> None:
        """Open the model of the run in view in Look: as it is now, or when the run has ended its best."""
        training = self._training
        if self._job and training.start is not None:
            self._using = True
            self._engine.tell(CommandRun(self._job, "snapshot"))
        elif not training.active and training.order is not None:
            self._use(training.order.out)

    def survey(self, asked: ReadCorpus) -> None:
        """Read what the options name."""
        self._survey = self._engine.new_job()
        self._training.set_survey(self._training.survey, surveying=True)
        self._engine.submit(Survey(self._survey, asked.options))

    def look_at_batch(self, asked: MakeBatch) -> None:
        """Make a batch to be looked at."""
        self._batch = self._engine.new_job()
        self._training.set_batch(self._training.batch, looking=True)
        self._engine.submit(ComputeBatch(self._batch, asked.options, asked.out, asked.step, asked.pad))

    def measure_speed(self, asked: TimeSteps) -> None:
        """Find out how fast this machine is.

        Not while a run goes on, which would be slowed and would slow what is measured.
        """
        if not self._training.active:
            self._speed, self._speed_key = self._engine.new_job(), asked.key
            self._engine.submit(MeasureSpeed(self._speed, asked.options, asked.tokens, asked.key))

    def open_run(self, folder: str) -> None:
        """Put a run that lies on disk in view; not while another goes on."""
        if not self._training.active:
            self._open(folder)

    # The run.

    def _begin(self, order: StartRun) -> None:
        if self._speed:
            self._engine.cancel(self._speed)
        self._job = self._engine.new_job()
        self._opening = self._speed = 0  # what may still come of it is no longer wanted
        self._paused = self._ending = self._using = False
        self._training.begin(order)
        self._settings.unfinished_training = order.out
        self._offer()
        self._engine.submit(Train(self._job, order.options, order.out, order.resume, _command(order)))

    def _end(self, command: RunCommand) -> None:
        if self._job:
            self._ending = True
            self._training.set_phase("stopping")
            self._engine.tell(CommandRun(self._job, command))
        elif self._waiting is not None:
            self._waiting = None
            self._engine.cancel(self._opening)
            self._training.forget()

    def _open(self, folder: str) -> None:
        self._opening = self._engine.new_job()
        self._engine.submit(OpenRun(self._opening, folder))

    def _use(self, folder: str) -> None:
        start = self._training.start
        self._use_model(folder, "" if start is None else start.probe)

    def _offer(self) -> None:
        """Offer to go on with a run that did not come to its end, if it lies there still."""
        folder = self._settings.unfinished_training
        there = bool(folder) and (Path(folder) / TRAINING_STATE).is_file()
        in_view = self._training.order is not None and _same_folder(self._training.order.out, folder)
        self._training.set_offer(folder if there and not in_view else "")

    # The engine's answers.

    def _answered(self, answer: TrainingAnswer) -> None:
        if isinstance(answer, (JobFailed, JobCancelled)):
            self._without_result(answer)
        elif answer.job == self._job:
            self._run_answered(answer)
        elif isinstance(answer, Surveyed) and answer.job == self._survey:
            self._training.set_survey(answer.survey, surveying=not answer.survey.complete)
        elif isinstance(answer, BatchSeen) and answer.job == self._batch:
            self._training.set_batch(answer.view)
        elif isinstance(answer, SpeedMeasured):
            self._training.add_speed(answer.key, answer.speed)
        elif isinstance(answer, RunOpened) and answer.job == self._opening:
            self._opened(answer)

    def _run_answered(self, answer: TrainingAnswer) -> None:
        training = self._training
        if isinstance(answer, TrainingHappened):
            training.take(answer.events)
            for event in answer.events:
                self._happened(event)
        elif isinstance(answer, TrainingPaused):
            if self._paused:  # it may have been resumed meanwhile
                training.set_phase("paused")
        elif isinstance(answer, TrainingEnded):
            self._job = 0
            resumable = not answer.done or goes_on(training.done)
            if not resumable:
                self._settings.unfinished_training = ""
            training.set_phase("ended", resumable=resumable)
            self.rested.emit()

    def _happened(self, event: TrainEvent) -> None:
        if isinstance(event, SnapshotEvent) and self._using:
            self._using = False
            self._use(event.path)
        elif isinstance(event, ContinuedEvent):
            self._training.set_phase(self._going())

    def _going(self) -> Phase:
        """What a run is doing that nothing keeps from going on."""
        if self._ending:
            return "stopping"
        if self._paused:
            return "pausing"
        return "preparing" if self._training.start is None else "running"

    def _opened(self, answer: RunOpened) -> None:
        self._opening = 0
        self._training.show_run(answer.run, answer.probe)
        if self._training.resumable:
            self._settings.unfinished_training = str(answer.run.out)
        self._offer()
        order, self._waiting = self._waiting, None
        if order is None:
            return
        try:
            self._begin(StartRun(_options_for(answer.run, order.options), order.out, resume=True))
        except HeadscopeError as error:
            self._training.set_phase("failed", Notice.of(error), resumable=self._training.resumable)

    def _without_result(self, answer: JobFailed | JobCancelled) -> None:
        training = self._training
        error = answer.error if isinstance(answer, JobFailed) else None
        problem = None if error is None or error.code == "cancelled" else Notice.of(error)
        if answer.job == self._survey:
            training.set_survey(training.survey if problem is None else None, problem)
        elif answer.job == self._batch:
            training.set_batch(None, problem)
        elif answer.job == self._speed and problem is not None:
            self._training.add_speed(self._speed_key, 0.0)  # unknown, and not asked for again
        elif answer.job == self._opening:
            self._opening, self._waiting = 0, None
            if problem is not None:
                training.set_phase("failed", problem)
        elif answer.job == self._job:
            self._failed(problem)

    def _failed(self, problem: Notice | None) -> None:
        """The run ended with an error, or was stopped before there was anything to save."""
        training, self._job = self._training, 0
        order = training.order
        saved = order is not None and (Path(order.out) / TRAINING_STATE).is_file()
        # A new run that never began is not to be gone on with: what is saved there is another's. One that
        # was to be gone on with and was refused (another window writes there) may be tried again.
        resumable = saved and order is not None and (order.resume or training.start is not None)
        if not saved:
            self._settings.unfinished_training = ""
        if problem is not None:
            training.set_phase("failed", problem, resumable=resumable)
        elif order is not None and order.resume:
            training.set_phase("ended", resumable=saved)
        else:
            training.forget()
        self.rested.emit()


def _options_for(run: StoredRun, wanted: TrainOptions) -> TrainOptions:
    """What a run goes on with: `wanted` where that is the same run, else its own; one that is done, farther.

    Raises:
        HeadscopeError: a limit differs on which the learning rate depends.
    """
    wanted = wanted.taking({name: run.options.value(name) for name in wanted.auto})
    try:
        run.options.check_resumable(wanted)
    except HeadscopeError:
        if goes_on(run.done):
            return run.options
        return run.options.resumed_with({name: getattr(wanted.train, name) for name in sorted(LIMITS)})
    return wanted


def _same_folder(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _command(order: StartRun) -> str:
    """What log and model card say of a run that the window started: the command that would do the same."""
    if order.resume:
        return joined(["headscope", "train", "--resume", "--out", order.out])
    from viewer.document.training.form_command import arguments  # with all that `train` knows of tasks

    return joined(["headscope", "train", *arguments(order.options, order.out)])
