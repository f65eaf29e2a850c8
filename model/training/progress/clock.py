"""Clock: how long a run has worked, and how long it will yet."""

from __future__ import annotations

import time
from collections import deque

_RECENT = 50  # steps whose pace is gone by


class Clock:
    """Counts minutes while it runs."""

    def __init__(self, minutes: float = 0.0) -> None:
        self._minutes = minutes
        self._since: float | None = None

    def start(self) -> None:
        """Go on counting."""
        self._since = time.monotonic()

    def stop(self) -> None:
        """Stand still until the next `start`."""
        self._minutes, self._since = self.minutes, None

    @property
    def minutes(self) -> float:
        """Counted so far."""
        return self._minutes + (0.0 if self._since is None else (time.monotonic() - self._since) / 60)


class Pace:
    """What steps and evaluations have taken of late, in minutes.

    Attributes:
        evaluation: what the last evaluation took; 0 before there was one.
    """

    def __init__(self) -> None:
        self._steps: deque[float] = deque(maxlen=_RECENT)
        self.evaluation = 0.0

    def add_step(self, minutes: float) -> None:
        """Count a step."""
        self._steps.append(minutes)

    def minutes_for(self, steps: float, evaluations: float) -> float:
        """How long so many steps and evaluations will take; needs a step that was counted."""
        return max(0.0, steps) * sum(self._steps) / len(self._steps) + evaluations * self.evaluation
