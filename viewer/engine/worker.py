"""The worker: the object in the background thread that owns the model and gives time to the jobs."""

from __future__ import annotations

import logging
import threading

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal, Slot

from model.errors import HeadscopeError, is_out_of_memory
from viewer.engine.alarms import Alarms
from viewer.engine.jobs import job_of
from viewer.engine.scheduler import Cancelled, Failed, Finished, Job, Outcome, Rest, Scheduler, Yielded
from viewer.engine.source import LoadModel, ModelSource
from viewer.engine.throttle import Throttle
from viewer.engine.training_job import TrainingJob
from viewer.engine.training_tools import TrainingTools
from viewer.guarded import Guarded
from viewer.state.messages import JobCancelled, JobFailed, PaceJob, PauseJob, Progress, Request
from viewer.state.training_messages import AskTraining, TrainingPaused

_log = logging.getLogger(__name__)


class Worker(Guarded, QObject):
    """Takes requests, runs one slice of one job a turn of its thread's event loop, and answers.

    It is the desk (`viewer.engine.jobs.Desk`) that the jobs work at.

    Signals:
        answered: a frozen result of `viewer.state.messages` or `viewer.state.training_messages`.
    """

    answered = Signal(object)

    _roused = Signal(int)

    def __init__(self, load_model: LoadModel, tools: TrainingTools, threads: int) -> None:
        super().__init__()
        self.load_model = load_model
        self.model: ModelSource | None = None
        self.tools = tools
        self.threads = threads
        self.trainings: dict[int, TrainingJob] = {}
        self.paces: dict[int, float] = {}
        self._scheduler = Scheduler()
        self._throttle = Throttle()
        # A timer without delay fires once a turn: a request that arrives meanwhile is heard before it.
        self._turn = QTimer(self)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self.run_slice)
        self._alarms = Alarms(self._rouse, self)
        self._roused.connect(self._rouse, Qt.ConnectionType.QueuedConnection)

    @Slot(object, object)
    def accept(self, request: Request | PauseJob | PaceJob | AskTraining, cancelled: threading.Event) -> None:
        """Queue a job, pause one, change its pace, or voice a wish to one."""
        if isinstance(request, Request):
            self._scheduler.add(job_of(request, self, cancelled))
            self._turn.start()
            return
        if isinstance(request, PauseJob):
            self._scheduler.pause(request.job, request.paused)
        elif isinstance(request, PaceJob):
            if self._scheduler.find(request.job) is not None:
                self.paces[request.job] = request.pace
        elif request.job in self.trainings:
            self.trainings[request.job].ask(request.wish)
            if request.then_pause:
                self._scheduler.pause(request.job)
        self._rouse(request.job)

    def rouse(self, job: int) -> None:
        """A resting job has something to do again; may be said in any thread."""
        self._roused.emit(job)

    @Slot()
    def wake(self) -> None:
        """Look at the jobs again: one was cancelled, which may be a paused one."""
        self._turn.start()

    @Slot()
    def run_slice(self) -> None:
        """Give the most urgent job time up to its next yield."""
        outcome = self._scheduler.run_slice()
        if outcome is None:
            self._turn.stop()
        else:
            self._report(outcome)

    @Slot()
    def finish(self) -> None:
        """Stop all jobs, let go of the model and end the thread."""
        self._turn.stop()
        self._alarms.stop()
        for outcome in self._scheduler.close():
            self._report(outcome)
        self.model = None
        thread = self.thread()
        application = QCoreApplication.instance()
        if application is not None:
            # So that whoever drops the last reference later does it in this object's own thread.
            self.moveToThread(application.thread())
        thread.quit()

    @Slot(int)
    def _rouse(self, job: int) -> None:
        self._scheduler.rouse(job)
        self._tell_if_paused(self._scheduler.find(job))
        self._turn.start()

    def _report(self, outcome: Outcome) -> None:
        if isinstance(outcome, Yielded):
            self._answer(outcome.job.id, outcome.value)
            self._tell_if_paused(outcome.job)
            return
        job = outcome.job.id
        self._alarms.forget(job)
        self.paces.pop(job, None)
        training = self.trainings.pop(job, None)
        for held in (self._throttle.flush(job), training and training.flush()):
            if held is not None:
                self.answered.emit(held)
        if isinstance(outcome, Cancelled):
            self.answered.emit(JobCancelled(job))
        elif isinstance(outcome, Failed):
            self.answered.emit(JobFailed(job, readable(outcome.error)))
        else:
            assert isinstance(outcome, Finished)

    def _answer(self, job: int, value: object) -> None:
        if isinstance(value, Rest):
            if value.seconds is not None:
                self._alarms.set(job, value.seconds)
            value = value.value
        if isinstance(value, Progress):
            report = self._throttle.offer(value)
            if report is not None:
                self.answered.emit(report)
        elif value is not None:
            self.answered.emit(value)

    def _tell_if_paused(self, job: Job | None) -> None:
        """Say that a paused run has nothing left to do, and what it did before."""
        training = None if job is None else self.trainings.get(job.id)
        if job is None or training is None or not job.paused:
            return
        if job.cancelled.is_set() or training.pressing or training.busy_beside:
            return
        held = training.flush()
        if held is not None:
            self.answered.emit(held)
        self.answered.emit(TrainingPaused(job.id))


def readable(error: BaseException) -> HeadscopeError:
    """An error that the user can read, free of the frames (and tensors) it arose in.

    What nobody foresaw becomes `internal`, with its traceback in the log.
    """
    if isinstance(error, HeadscopeError):
        return HeadscopeError(error.code, **error.values)
    if is_out_of_memory(error):
        return HeadscopeError("out_of_memory")
    _log.error("a job failed", exc_info=error)
    detail = " ".join(f"{type(error).__name__}: {error}".split())
    return HeadscopeError("internal", detail=detail)
