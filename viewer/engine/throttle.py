"""`Throttle`: progress reports thinned out, so that no flood of them reaches the window."""

from __future__ import annotations

import time
from collections.abc import Callable

from viewer.document.messages.messages import JobProgress

MOST_A_SECOND = 15.0


class Throttle:
    """Lets a job's progress through at most `rate` times a second; the newest report is never lost."""

    def __init__(self, rate: float = MOST_A_SECOND, clock: Callable[[], float] = time.monotonic) -> None:
        self._gap = 1.0 / rate
        self._clock = clock
        self._sent: dict[int, float] = {}
        self._held: dict[int, JobProgress] = {}

    def offer(self, report: JobProgress) -> JobProgress | None:
        """The report if it may go out now, else None: it is held until the next offer, or `flush`."""
        now = self._clock()
        last = self._sent.get(report.job)
        if last is not None and now - last < self._gap:
            self._held[report.job] = report
            return None
        self._sent[report.job] = now
        self._held.pop(report.job, None)
        return report

    def flush(self, job: int) -> JobProgress | None:
        """The report still held for a job that ends; forgets the job."""
        self._sent.pop(job, None)
        return self._held.pop(job, None)
