"""The job that trains: a run's events told to the window, and the window's wishes to the run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

from model.training.control import Control
from model.training.events import (
    DoneEvent,
    PausedEvent,
    SavedEvent,
    SnapshotEvent,
    StartEvent,
    TrainEvent,
)
from viewer.engine.beside import Beside
from viewer.engine.collector import Collector
from viewer.engine.scheduler import Rest
from viewer.engine.threads import prepare_torch, torch_threads
from viewer.engine.training_tools import TrainingTools
from viewer.state.training_messages import Train, TrainingEnded, TrainingHappened, Wish

RETRY_SECONDS = 3.0
"""How long a run rests that could not write something."""

Report = TrainingHappened | TrainingEnded | Rest | None


class TrainingJob:
    """One run in the worker's thread.

    What comes before the first step (reading pairs, learning vocabularies) can take long in one go: it is
    done in a thread beside the worker's, so that sentences are translated meanwhile.

    Args:
        rouse: tells the scheduler, from any thread, that the job has something to do again.
        threads: processor threads where the options leave it open.

    Attributes:
        control: where wishes are voiced.
    """

    def __init__(self, request: Train, tools: TrainingTools, rouse: Callable[[], None], threads: int) -> None:
        self.request = request
        self.control = Control()
        self._tools = tools
        self._rouse = rouse
        self._spare = threads
        self._threads = request.options.train.threads or threads
        self._collector = Collector()
        self._beside: Beside[TrainEvent] | None = None
        self._wishes: set[str] = set()  # voiced and not fulfilled yet
        self._started = self._done = False

    @property
    def pressing(self) -> bool:
        """Whether a wish is to be fulfilled even while paused; before the first step none to save can be."""
        if not self._started:
            return bool(self._wishes & {"stop", "stop_after_evaluation"})
        return bool(self._wishes)

    @property
    def busy_beside(self) -> bool:
        """Whether the thread beside the worker's is at work."""
        return self._beside is not None and self._beside.busy

    def ask(self, wish: Wish) -> None:
        """Voice a wish."""
        self._wishes.add(wish)
        event: threading.Event = getattr(self.control, wish)
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
        self._beside = Beside(run, self._rouse, self._spare)
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

    def _drive(self, run: Iterator[TrainEvent], beside: Beside[TrainEvent]) -> Generator[Report, None, None]:
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
            self._wishes.discard("save")
        elif isinstance(event, SnapshotEvent):
            self._wishes.discard("snapshot")

    def _close(self, run: Iterator[TrainEvent]) -> None:
        """Let the run save; raises what saving raises."""
        close = getattr(run, "close", None)
        if close is not None:
            with torch_threads(self._threads):
                close()

    def _happened(self, events: tuple[TrainEvent, ...]) -> TrainingHappened | None:
        return TrainingHappened(self.request.job, events) if events else None
