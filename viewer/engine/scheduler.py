"""A cooperative scheduler: jobs are generators, and after each yield the most urgent one goes on. No Qt."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any


def _never() -> bool:
    return False


@dataclass(eq=False)
class Job:
    """Work that can be interrupted wherever it yields.

    Attributes:
        steps: yields whatever should be reported; runs only inside `Scheduler.run_slice`.
        priority: the lowest number goes first; among equals, who came first.
        cancelled: may be set from any thread; the job ends at its next yield.
        pressing: whether it must be given time even though it is paused.
        paused: kept, but not given time.
        resting: kept, and has nothing to do until it is woken, not even what is pressing.
        shares: its time is shared with others of its priority that share too, so that none waits for the
            end of a long one.
        spent: seconds that it was given, of those that share; who has had least goes next.
        reported: what it yielded last, for whoever ran the slice.
    """

    id: int
    steps: Iterator[Any]
    priority: int = 0
    cancelled: threading.Event = field(default_factory=threading.Event)
    pressing: Callable[[], bool] = _never
    paused: bool = False
    resting: bool = False
    shares: bool = False
    spent: float = 0.0
    reported: Any = None

    @property
    def runnable(self) -> bool:
        """Whether it is to be given time."""
        return not self.resting and (not self.paused or self.pressing())


@dataclass(frozen=True)
class Rest:
    """What a job yields that has nothing to do until it is woken.

    Attributes:
        seconds: after which it is woken by itself; None: whoever knows wakes it.
        value: what it reports, in the slice that ends in rest: whoever hears of it may wake it at once.
    """

    seconds: float | None = None
    value: Any = None


@dataclass(frozen=True, eq=False)
class Suspend:
    """What a job yields that reports something and is then paused until a person lets it go on.

    Attributes:
        value: what it reports.
    """

    value: Any


@dataclass(frozen=True, eq=False)
class Finished:
    """The job came to its end."""

    job: Job


@dataclass(frozen=True, eq=False)
class Cancelled:
    """The job was stopped, and has tidied up."""

    job: Job


@dataclass(frozen=True, eq=False)
class Failed:
    """The job raised."""

    job: Job
    error: BaseException


Ending = Finished | Cancelled | Failed


class Scheduler:
    """Runs one slice (up to the next yield) of one job at a time. Belongs to one thread."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._jobs: list[Job] = []
        self._clock = clock

    def add(self, job: Job) -> None:
        """Queue a job behind those of its priority."""
        # No claim to what others were given before it came.
        job.spent = min((other.spent for other in self._sharing(job)), default=0.0)
        place = next((i for i, other in enumerate(self._jobs) if other.priority > job.priority), None)
        self._jobs.insert(len(self._jobs) if place is None else place, job)

    def find(self, job_id: int) -> Job | None:
        """The job of this id; None when it has ended."""
        return next((job for job in self._jobs if job.id == job_id), None)

    def pause(self, job_id: int, paused: bool = True) -> None:
        """Stop giving time to a job, or (False) go on; it keeps its place. An unknown id is ignored."""
        job = self.find(job_id)
        if job is not None:
            job.paused = paused

    def wake(self, job_id: int) -> None:
        """A resting job has something to do again."""
        job = self.find(job_id)
        if job is not None:
            job.resting = False

    @property
    def idle(self) -> bool:
        """Whether there is nothing to run now; paused jobs may be waiting."""
        return self._next() is None

    def run_slice(self) -> Job | Ending | None:
        """Run the most urgent job up to its next yield; None when there is nothing to run.

        Returns:
            The job, which has `reported` and goes on, or how it ended.
        """
        job = self._next()
        if job is None:
            return None
        if job.cancelled.is_set():
            self._jobs.remove(job)
            return _close(job)
        begun = self._clock()
        try:
            value = next(job.steps)
        except StopIteration:
            self._jobs.remove(job)
            return Finished(job)
        except Exception as error:
            self._jobs.remove(job)
            return Failed(job, error)
        self._charge(job, self._clock() - begun)
        if isinstance(value, Rest):
            job.resting = True
        elif isinstance(value, Suspend):
            # In the slice that reports: whoever hears of it may let the job go on at once.
            job.paused, value = True, value.value
        job.reported = value
        return job

    def close(self) -> list[Ending]:
        """Stop all jobs, letting each tidy up."""
        jobs, self._jobs = self._jobs, []
        return [_close(job) for job in jobs]

    def _next(self) -> Job | None:
        """A cancelled job first, even a paused one: it only has to tidy up."""
        for job in self._jobs:
            if job.cancelled.is_set():
                return job
        first = next((job for job in self._jobs if job.runnable), None)
        if first is None or not first.shares:
            return first
        return min((job for job in self._sharing(first) if job.runnable), key=lambda job: job.spent)

    def _sharing(self, job: Job) -> list[Job]:
        """Those that share time with a job, itself included once it is queued."""
        return [
            other for other in self._jobs if job.shares and other.shares and other.priority == job.priority
        ]

    def _charge(self, job: Job, seconds: float) -> None:
        job.spent += seconds
        together = self._sharing(job)
        least = min((other.spent for other in together if other.runnable), default=0.0)
        for other in together:  # who was paused does not make up for it afterwards
            other.spent = max(other.spent, least)


def _close(job: Job) -> Ending:
    """Let the generator run its `finally` blocks."""
    close = getattr(job.steps, "close", None)
    try:
        if close is not None:
            close()
    except Exception as error:
        return Failed(job, error)
    return Cancelled(job)
