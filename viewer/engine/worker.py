"""The worker: the object in the background thread that owns the model and gives time to the jobs."""

from __future__ import annotations

import logging
import threading

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, Slot

from model.errors import HeadscopeError
from viewer.engine.jobs import steps_of
from viewer.engine.scheduler import Cancelled, Failed, Finished, Job, Outcome, Scheduler, Yielded
from viewer.engine.source import LoadModel, ModelSource
from viewer.engine.throttle import Throttle
from viewer.state.messages import JobCancelled, JobFailed, PauseJob, Progress, Request

_log = logging.getLogger(__name__)


class Worker(QObject):
    """Takes requests, runs one slice of one job a turn of its thread's event loop, and answers.

    Signals:
        answered: a frozen result of `viewer.state.messages`.
    """

    answered = Signal(object)

    def __init__(self, load_model: LoadModel) -> None:
        super().__init__()
        self.load_model = load_model
        self.model: ModelSource | None = None
        self._scheduler = Scheduler()
        self._throttle = Throttle()
        # A timer without delay fires once a turn: a request that arrives meanwhile is heard before it.
        self._turn = QTimer(self)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self.run_slice)

    @Slot(object, object)
    def accept(self, request: Request | PauseJob, cancelled: threading.Event) -> None:
        """Queue a job, or pause one."""
        if isinstance(request, PauseJob):
            self._scheduler.pause(request.job, request.paused)
        else:
            self._scheduler.add(Job(request.job, steps_of(request, self), request.priority, cancelled))
        self._turn.start()

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
        for outcome in self._scheduler.close():
            self._report(outcome)
        self.model = None
        thread = self.thread()
        application = QCoreApplication.instance()
        if application is not None:
            # So that whoever drops the last reference later does it in this object's own thread.
            self.moveToThread(application.thread())
        thread.quit()

    def _report(self, outcome: Outcome) -> None:
        job = outcome.job.id
        if isinstance(outcome, Yielded):
            self._answer(outcome.value)
            return
        held = self._throttle.flush(job)
        if held is not None:
            self.answered.emit(held)
        if isinstance(outcome, Cancelled):
            self.answered.emit(JobCancelled(job))
        elif isinstance(outcome, Failed):
            self.answered.emit(JobFailed(job, readable(outcome.error)))
        else:
            assert isinstance(outcome, Finished)

    def _answer(self, value: object) -> None:
        if isinstance(value, Progress):
            report = self._throttle.offer(value)
            if report is not None:
                self.answered.emit(report)
        else:
            self.answered.emit(value)


def readable(error: BaseException) -> HeadscopeError:
    """An error that the user can read, free of the frames (and tensors) it arose in.

    What nobody foresaw becomes `internal`, with its traceback in the log.
    """
    if isinstance(error, HeadscopeError):
        return HeadscopeError(error.code, **error.values)
    # torch says so in a RuntimeError.
    if isinstance(error, MemoryError) or "allocate memory" in str(error):
        return HeadscopeError("out_of_memory")
    _log.error("a job failed", exc_info=error)
    detail = " ".join(f"{type(error).__name__}: {error}".split())
    return HeadscopeError("internal", detail=detail)
