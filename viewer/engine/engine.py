"""The engine: the main thread's face of the background thread."""

from __future__ import annotations

import atexit
import itertools
import logging
import threading
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Qt, QThread, Signal, Slot

from viewer.cores import spare_cores
from viewer.document.messages.messages import (
    LAST_RESULTS,
    Answered,
    AnswerGrew,
    Ask,
    Decode,
    JobCancelled,
    JobFailed,
    JobMessage,
    JobProgress,
    ModelOpened,
    OpenModel,
    PiecesSplit,
    Request,
    Result,
    SplitText,
    TraceDone,
    TraceGrew,
    TraceHypothesis,
    UseThreads,
)
from viewer.document.messages.training_messages import (
    LAST_ANSWERS,
    TRAINING_REQUESTS,
    Surveyed,
    TrainingAnswer,
    TrainingHappened,
)
from viewer.engine.source import LoadModel
from viewer.engine.threads import ThreadCount
from viewer.engine.training_tools import LibraryTools, TrainingTools
from viewer.engine.translator_source import TranslatorLoader
from viewer.engine.worker import Worker
from viewer.own_turn import HalfTime

_log = logging.getLogger(__name__)

_OF_A_MODEL = (Decode, TraceHypothesis, SplitText)


@dataclass(eq=False)
class _Active:
    request: Request
    cancelled: threading.Event
    grew: bool = False


class Engine(QObject):
    """Takes requests and delivers their results, all in the main thread; `close` before dropping it.

    A job ends with exactly one of `model_opened`, `trace_done`, `answered`, `pieces_split`, `failed`,
    `cancelled`. After `cancel` nothing but its `cancelled` arrives, except a model
    that had already taken the old one's place.
    All answers to requests of `viewer.document.messages.training_messages` are said by `training_answered`.

    Signals:
        model_opened: `ModelOpened`.
        trace_grew: `TraceGrew`, for every token; `followed` of all but the newest of those that queued up.
        trace_done: `TraceDone`.
        answer_grew: `AnswerGrew`.
        answered: `Answered`.
        pieces_split: `PiecesSplit`.
        progress: `JobProgress`, at most 15 a second for a job.
        failed: `JobFailed`.
        cancelled: `JobCancelled`.
        training_answered: a `TrainingAnswer`.
        busy_changed: whether any job is not ended.
    """

    model_opened = Signal(object)
    trace_grew = Signal(object)
    trace_done = Signal(object)
    answer_grew = Signal(object)
    answered = Signal(object)
    pieces_split = Signal(object)
    progress = Signal(object)
    failed = Signal(object)
    cancelled = Signal(object)
    training_answered = Signal(object)
    busy_changed = Signal(bool)

    _submitted = Signal(object, object)
    _woken = Signal()
    _finishing = Signal()

    def __init__(
        self,
        parent: QObject | None = None,
        load_model: LoadModel | None = None,
        threads: int | None = None,
        tools: TrainingTools | None = None,
    ) -> None:
        """Start the background thread.

        Args:
            load_model: how to load a model, called in the background; ours by default.
            threads: processor threads for the model; by default one is left to the window.
            tools: what training calls in the background; the library's own by default.
        """
        super().__init__(parent)
        self._ids = itertools.count(1)
        self._active: dict[int, _Active] = {}
        self._grown: dict[int, TraceGrew | Surveyed] = {}  # the newest of each job that goes on, not said yet
        self._busy = False
        self._closed = False
        self._left_alone = False
        self._signals = {
            ModelOpened: self.model_opened,
            TraceGrew: self.trace_grew,
            TraceDone: self.trace_done,
            AnswerGrew: self.answer_grew,
            Answered: self.answered,
            PiecesSplit: self.pieces_split,
            JobProgress: self.progress,
            JobFailed: self.failed,
            JobCancelled: self.cancelled,
        }
        threads = spare_cores() if threads is None else threads
        self._threads = ThreadCount(threads)
        load_model = TranslatorLoader(self._threads) if load_model is None else load_model
        self._worker = Worker(load_model, LibraryTools() if tools is None else tools, threads)
        self._thread = QThread()
        self._thread.setObjectName("headscope-worker")
        self._worker.moveToThread(self._thread)
        queued = Qt.ConnectionType.QueuedConnection
        self._submitted.connect(self._worker.accept, queued)
        self._woken.connect(self._worker.look_again, queued)
        self._finishing.connect(self._worker.finish, queued)
        self._worker.answered.connect(self._receive, queued)
        # Not a queued signal: the next token would come in the same turn.
        self._heard = HalfTime(self._say_grown, self)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether any job is not ended."""
        return bool(self._active)

    def new_job(self) -> int:
        """An id for a request."""
        return next(self._ids)

    def submit(self, request: Request) -> int:
        """Queue a job; a newer one of a type that says `latest_wins` cancels the older.

        Opening a model cancels what is asked of the model before. A closed engine takes nothing.

        Returns:
            The job's id.

        Raises:
            ValueError: the id is in use.
        """
        if request.job in self._active:
            raise ValueError(f"job {request.job} is not ended")
        if self._closed:
            return request.job
        for active in list(self._active.values()):
            if _outdated(active.request, request):
                self.cancel(active.request.job)
        cancelled = threading.Event()
        self._active[request.job] = _Active(request, cancelled)
        self._submitted.emit(request, cancelled)
        self._tell_busy()
        return request.job

    def cancel(self, job: int) -> None:
        """Stop a job at its next yield; an ended one is ignored."""
        active = self._active.get(job)
        if active is not None:
            active.cancelled.set()
            self._woken.emit()

    def set_threads(self, threads: int | None) -> None:
        """Use so many processor threads from the next slice of any job on; None leaves one core over.

        A run that trains already keeps its number.
        """
        self._threads.count = spare_cores() if threads is None else threads
        self.tell(UseThreads(0, self._threads.count))

    def tell(self, message: JobMessage) -> None:
        """Tell a job that goes on something; one that has ended hears nothing."""
        self._submitted.emit(message, None)

    def close(self, wait_ms: int = 10_000) -> bool:
        """Refuse new work, stop all jobs, end the thread and wait for it.

        Returns:
            False if it did not end in time (a slice takes too long). Then it is kept alive, and the process
            waits for it at its exit; only `os._exit` ends at once.
        """
        if not self._closed:
            self._closed = True
            for active in self._active.values():
                active.cancelled.set()
            self._active.clear()
            self._heard.stop()
            self._finishing.emit()
        ended = self._thread.wait(wait_ms)
        if not ended and not self._left_alone:
            self._left_alone = True
            _log.warning("the background thread did not end within %d ms; it is left to itself", wait_ms)
            # A QThread that is destroyed while it runs aborts the process: this reference keeps it until the
            # exit, where it is waited for.
            atexit.register(self._thread.wait)
        return ended

    @Slot(object)
    def _receive(self, result: Result | TrainingAnswer) -> None:
        """Deliver a result of a job that is still wanted."""
        active = self._active.get(result.job)
        if active is None:
            return
        before = self._grown.pop(result.job, None)
        if isinstance(before, TraceGrew) and not active.cancelled.is_set():
            self.trace_grew.emit(replace(before, followed=True))
        last = _is_last(result)
        if active.cancelled.is_set() and not isinstance(result, (ModelOpened, TrainingHappened)):
            if not last:
                return
            result = JobCancelled(result.job)
        if isinstance(result, TraceGrew) or (isinstance(result, Surveyed) and not last):
            self._hold(result, active)
            return
        if last:
            del self._active[result.job]
        if isinstance(active.request, TRAINING_REQUESTS):
            self.training_answered.emit(result)
        else:
            self._signals[type(result)].emit(result)
        self._tell_busy()

    def _hold(self, newest: TraceGrew | Surveyed, active: _Active) -> None:
        """Say it behind all that waits to be heard: of what queued up only the last is to be drawn.

        Drawing takes no more than half of the time, from the second on: the window and the model share what
        computes.
        """
        self._heard.ask(at_once=not active.grew)
        active.grew = True
        self._grown[newest.job] = newest

    def _say_grown(self) -> None:
        grown, self._grown = self._grown, {}
        for job, newest in grown.items():
            active = self._active.get(job)
            if active is not None and not active.cancelled.is_set():
                (self.trace_grew if isinstance(newest, TraceGrew) else self.training_answered).emit(newest)

    def _tell_busy(self) -> None:
        if self.busy != self._busy:
            self._busy = self.busy
            self.busy_changed.emit(self._busy)


def _is_last(result: Result | TrainingAnswer) -> bool:
    if isinstance(result, Surveyed):
        return result.survey.complete
    return isinstance(result, (*LAST_RESULTS, *LAST_ANSWERS))


def _outdated(older: Request, newer: Request) -> bool:
    if isinstance(newer, OpenModel) and isinstance(older, _OF_A_MODEL):
        return True
    if isinstance(newer, OpenModel) and isinstance(older, Ask):
        return older.question.needs_model
    return newer.latest_wins and type(older) is type(newer)
