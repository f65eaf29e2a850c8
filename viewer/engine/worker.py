"""The worker: the object in the background thread that owns the model and gives time to the jobs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal, Slot

from model.abilities import computing_error
from model.errors import HeadscopeError, is_out_of_memory
from viewer.document.messages.messages import (
    JobCancelled,
    JobFailed,
    JobMessage,
    JobProgress,
    OpenModel,
    PaceJob,
    PauseJob,
    Priority,
    Request,
    UseThreads,
)
from viewer.document.messages.training_messages import CommandRun, TrainingPaused
from viewer.engine.alarms import Alarms
from viewer.engine.context import JobContext
from viewer.engine.heap import Heap
from viewer.engine.jobs import JOBS
from viewer.engine.scheduler import Cancelled, Ending, Failed, Finished, Job, Rest, Scheduler
from viewer.engine.source import LoadModel
from viewer.engine.threads import change_torch
from viewer.engine.throttle import Throttle
from viewer.engine.training_tools import TrainingTools
from viewer.guarded import Guarded

_log = logging.getLogger(__name__)


class Worker(Guarded, QObject):
    """Takes requests, runs one slice of one job a turn of its thread's event loop, and answers.

    Signals:
        answered: a frozen result of `messages.messages` or `messages.training_messages`.
    """

    answered = Signal(object)

    _woken = Signal(int)

    def __init__(self, load_model: LoadModel, tools: TrainingTools, threads: int) -> None:
        super().__init__()
        self._scheduler = Scheduler()
        self._context = JobContext(load_model, tools, threads, self._woken.emit, self._is_cancelled)
        self._throttle = Throttle()
        # A timer without delay fires once a turn: a request that arrives meanwhile is heard before it.
        self._turn = QTimer(self)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self.run_slice)
        self._alarms = Alarms(self._wake, self)
        self._heap = Heap(self)
        self._woken.connect(self._wake, Qt.ConnectionType.QueuedConnection)
        self._finished = False

    @Slot(object, object)
    def accept(self, request: Request | JobMessage, cancelled: threading.Event) -> None:
        """Queue a job, or hear what is to be told to one."""
        if isinstance(request, Request):
            self._scheduler.add(job_of(request, self._context, cancelled))
            self._turn.start()
            return
        if isinstance(request, PauseJob):
            self._scheduler.pause(request.job, request.paused)
        elif isinstance(request, UseThreads):
            self._context.threads = request.threads
            change_torch(request.threads)
        elif isinstance(request, PaceJob):
            if self._scheduler.find(request.job) is not None:
                self._context.paces[request.job] = request.pace
        elif isinstance(request, CommandRun) and request.job in self._context.trainings:
            self._context.trainings[request.job].tell(request.command)
            if request.then_pause:
                self._scheduler.pause(request.job)
        self._wake(request.job)

    @Slot()
    def look_again(self) -> None:
        """Look at the jobs again: one was cancelled, which may be a paused one."""
        self._turn.start()

    @Slot()
    def run_slice(self) -> None:
        """Give the most urgent job time up to its next yield."""
        outcome = self._scheduler.run_slice()
        if outcome is None:
            self._turn.stop()
            self._heap.rest()
        else:
            self._heap.stop()
            self._hear(outcome)

    @Slot()
    def finish(self) -> None:
        """Stop all jobs, let go of the model and end the thread."""
        self._finished = True
        self._turn.stop()
        self._alarms.stop()
        self._heap.stop()
        for outcome in self._scheduler.close():
            self._hear(outcome)
        self._context.model = None
        thread = self.thread()
        application = QCoreApplication.instance()
        if application is not None:
            # So that whoever drops the last reference later does it in this object's own thread.
            self.moveToThread(application.thread())
        thread.quit()

    @Slot(int)
    def _wake(self, job: int) -> None:
        if self._finished:  # by a thread beside, in its last moment: it moved to the other thread with this
            return
        self._scheduler.wake(job)
        self._tell_if_paused(self._scheduler.find(job))
        self._turn.start()

    def _is_cancelled(self, job: int) -> bool:
        going = self._scheduler.find(job)
        return going is not None and going.cancelled.is_set()

    def _hear(self, outcome: Job | Ending) -> None:
        if isinstance(outcome, Job):
            reported, outcome.reported = outcome.reported, None
            self._answer(outcome.id, reported)
            self._tell_if_paused(outcome)
            return
        job = outcome.job.id
        self._alarms.forget(job)
        self._context.paces.pop(job, None)
        training = self._context.trainings.pop(job, None)
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
        if isinstance(value, JobProgress):
            report = self._throttle.offer(value)
            if report is not None:
                self.answered.emit(report)
        elif value is not None:
            self.answered.emit(value)

    def _tell_if_paused(self, job: Job | None) -> None:
        """Say that a paused run has nothing left to do, and what it did before."""
        training = None if job is None else self._context.trainings.get(job.id)
        if job is None or training is None or not job.paused:
            return
        if job.cancelled.is_set() or training.is_pressing() or training.busy_beside:
            return
        held = training.flush()
        if held is not None:
            self.answered.emit(held)
        self.answered.emit(TrainingPaused(job.id))


def job_of(request: Request, context: JobContext, cancelled: threading.Event) -> Job:
    """The job of a request; nothing runs before its first slice.

    Raises:
        TypeError: the worker knows no such request.
    """
    priority = request.priority
    if isinstance(request, OpenModel) and context.model is not None:
        priority = Priority.READING  # the model that is there is used until the other one is
    job = Job(request.job, _steps_of(request, context), priority, cancelled)
    training = context.trainings.get(request.job)
    if training is not None:
        job.pressing = training.is_pressing
    job.shares = request.priority == Priority.BACKGROUND
    return job


def _steps_of(request: Request, context: JobContext) -> Iterator[object]:
    for kind in type(request).__mro__:
        if kind in JOBS:
            return JOBS[kind](request, context)
    raise TypeError(f"no job for a {type(request).__name__}")


def readable(error: BaseException) -> HeadscopeError:
    """An error that the user can read, free of the frames (and tensors) it arose in.

    What nobody foresaw becomes `internal`, with its traceback in the log.
    """
    if isinstance(error, HeadscopeError):
        return HeadscopeError(error.code, **error.values)
    if is_out_of_memory(error):
        return HeadscopeError("out_of_memory")
    missing = computing_error(error)
    if missing is not None:
        return missing
    _log.error("a job failed", exc_info=error)
    detail = " ".join(f"{type(error).__name__}: {error}".split())
    return HeadscopeError("internal", detail=detail)
