"""The job that trains: a run's events told to the window, and the window's commands to the run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

from model.training.control import Control
from model.training.progress.events import (
    DoneEvent,
    PausedEvent,
    SavedEvent,
    SnapshotEvent,
    StartEvent,
    TrainEvent,
)
from viewer.document.messages.training_messages import RunCommand, Train, TrainingEnded, TrainingHappened
from viewer.engine.collector import Collector
from viewer.engine.scheduler import Rest
from viewer.engine.threaded_generator import ThreadedGenerator
from viewer.engine.threads import prepare_torch, torch_threads
from viewer.engine.training_tools import TrainingTools

RETRY_SECONDS = 3.0
"""How long a run rests that could not write something."""

Report = TrainingHappened | TrainingEnded | Rest | None


class TrainingJob:
    """One run in the worker's thread.

    What comes before the first step (reading pairs, learning vocabularies) can take long in one go: it is
    done in a thread beside the worker's, so that sentences are translated meanwhile.

    Args:
        wake: tells the scheduler, from any thread, that the job has something to do again.
        threads: processor threads where the options leave it open.

    Attributes:
        control: where commands are given.
    """

    def __init__(self, request: Train, tools: TrainingTools, wake: Callable[[], None], threads: int) -> None:
        self.request = request
        self.control = Control()
        self._tools = tools
        self._wake = wake
        self._spare = threads
        self._threads = request.options.train.threads or threads
        self._collector = Collector()
        self._beside: ThreadedGenerator[TrainEvent] | None = None
        self._commands: set[str] = set()  # given and not carried out yet
        self._started = self._done = False

    def is_pressing(self) -> bool:
        """Whether a command is to be carried out even while paused; none to save before the first step."""
        if not self._started:
            return bool(self._commands & {"stop", "stop_after_evaluation"})
        return bool(self._commands)

    @property
    def busy_beside(self) -> bool:
        """Whether the thread beside the worker's is at work."""
        return self._beside is not None and self._beside.busy

    def tell(self, command: RunCommand) -> None:
        """Give a command."""
        self._commands.add(command)
        event: threading.Event = getattr(self.control, command)
        event.set()

    def flush(self) -> TrainingHappened | None:
        """Events that were not told yet."""
        return self._happened(self._collector.flush())

    def steps(self) -> Iterator[Report]:
        """The job itself; see `viewer.engine.scheduler`.

        Raises:
            HeadscopeError: as `model.training.train.train`, after all events were told.
        """
        request = self.request
        prepare_torch(self._spare)
        run = self._tools.train(
            request.options,
            Path(request.out),
            resume=request.resume,
            command=request.command,
            control=self.control,
        )
        self._beside = ThreadedGenerator(run, self._wake, self._spare)
        try:
            yield from self._drive(run, self._beside)
        except Exception:
            yield self.flush()
            raise
        finally:
            self.control.stop.set()
            self._beside.wait()
            self._close(run)
        yield self.flush()
        yield TrainingEnded(request.job, request.out, self._done)

    def _drive(
        self, run: Iterator[TrainEvent], beside: ThreadedGenerator[TrainEvent]
    ) -> Generator[Report, None, None]:
        while True:
            if self._started:
                with torch_threads(self._threads):
                    event = next(run, None)
            else:
                event = yield from beside.next()
            if event is None:
                return
            self._note(event)
            happened = self._happened(self._collector.offer(event))
            yield Rest(RETRY_SECONDS, happened) if isinstance(event, PausedEvent) else happened

    def _note(self, event: TrainEvent) -> None:
        self._started = self._started or isinstance(event, StartEvent)
        self._done = self._done or isinstance(event, DoneEvent)
        if isinstance(event, SavedEvent):
            self._commands.discard("save")
        elif isinstance(event, SnapshotEvent):
            self._commands.discard("snapshot")

    def _close(self, run: Iterator[TrainEvent]) -> None:
        """Let the run save; raises what saving raises."""
        close = getattr(run, "close", None)
        if close is not None:
            with torch_threads(self._threads):
                close()

    def _happened(self, events: tuple[TrainEvent, ...]) -> TrainingHappened | None:
        return TrainingHappened(self.request.job, events) if events else None
