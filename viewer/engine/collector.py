"""`Collector`: events of a training run, held back so that no flood of them reaches the window."""

from __future__ import annotations

import time
from collections.abc import Callable

from model.training.progress.events import StepEvent, TrainEvent, WorkEvent
from viewer.engine.throttle import MOST_A_SECOND


class Collector:
    """Keeps all events in order and gives them out at most `rate` times a second, or when one cannot wait.

    Steps wait, and signs of life of work that is known to go on; everything else is given out at once.
    """

    def __init__(self, rate: float = MOST_A_SECOND, clock: Callable[[], float] = time.monotonic) -> None:
        self._gap = 1.0 / rate
        self._clock = clock
        self._given: float | None = None
        self._kept: list[TrainEvent] = []
        self._stage = ""

    def offer(self, event: TrainEvent) -> tuple[TrainEvent, ...]:
        """Take an event; what is to be told now, nothing if all can wait."""
        stage = event.stage if isinstance(event, WorkEvent) else ""
        waits = isinstance(event, StepEvent) or bool(stage and stage == self._stage)
        self._stage = stage
        self._kept.append(event)
        if waits and self._given is not None and self._clock() - self._given < self._gap:
            return ()
        return self.flush()

    def flush(self) -> tuple[TrainEvent, ...]:
        """All that is still kept."""
        kept, self._kept = tuple(self._kept), []
        if kept:
            self._given = self._clock()
        return kept
