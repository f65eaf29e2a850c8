"""Training jobs: runs, surveys of a corpus, a look at a batch, runs that lie on disk."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path

from model.errors import HeadscopeError
from model.trace.trace_file import open_trace
from model.trace.trace_sequence import PROBE, SUFFIX
from model.training.batch_view import BatchView
from model.training.control import Control
from model.training.progress.events import ProbeEvent, WorkEvent
from model.training.progress.history import StoredRun, stored_run
from model.work import retold
from viewer.document.messages.messages import JobProgress
from viewer.document.messages.training_messages import (
    BatchSeen,
    ComputeBatch,
    MeasureSpeed,
    OpenRun,
    RunOpened,
    SpeedMeasured,
    Survey,
    Surveyed,
    Train,
)
from viewer.engine.context import JobContext
from viewer.engine.scheduler import Rest
from viewer.engine.threaded_generator import ThreadedGenerator
from viewer.engine.threads import prepare_torch
from viewer.engine.training_job import Report, TrainingJob
from viewer.giving_way import give_way

_TELL_S = 0.15  # between two reports of what a survey knows so far


def train(request: Train, context: JobContext) -> Iterator[Report]:
    """A run, known to the other jobs by its id from now on."""
    training = TrainingJob(request, context.tools, lambda: context.wake(request.job), context.threads)
    context.trainings[request.job] = training
    return training.steps()


def survey(request: Survey, context: JobContext) -> Iterator[Surveyed | None]:
    """What is known of the corpus as it is read, told a few times a second: all of it is shown each time."""
    told = -math.inf

    def is_cancelled() -> bool:
        # Asked between batches of texts. To read them is plain Python, which would take the interpreter from
        # the window.
        give_way(lambda: context.cancelled(request.job))
        return context.cancelled(request.job)

    for known in context.tools.survey(request.options, is_cancelled):
        now = time.monotonic()
        if known.complete or now - told >= _TELL_S:
            told = now
            yield Surveyed(request.job, known)
        else:
            yield None


def compute_batch(request: ComputeBatch, context: JobContext) -> Iterator[BatchSeen | JobProgress | Rest]:
    """The batch, seen with the weights of the run that makes steps into the folder, if one does.

    Where none does there is much to read first, which is done beside the worker.
    """
    prepare_torch(context.threads)
    live = _live(request.out, context.trainings)
    run = _whole(
        context.tools.look_at_batch(request.options, Path(request.out), request.step, request.pad, live)
    )
    beside = ThreadedGenerator(run, lambda: context.wake(request.job), context.threads)
    try:
        while True:
            seen = next(run, None) if live is not None else (yield from beside.next())
            if seen is None:
                return
            if isinstance(seen, WorkEvent):
                yield JobProgress(request.job, seen.stage, seen.done, seen.total)
            else:
                yield BatchSeen(request.job, seen)
    finally:
        beside.wait()
        run.close()


def measure_speed(request: MeasureSpeed, context: JobContext) -> Iterator[SpeedMeasured | Rest]:
    """How fast this machine is, found out beside the worker as a run prepares itself there."""
    prepare_torch(context.threads)
    found: list[float] = []
    run = _kept(context.tools.measured_speed(request.options, request.tokens), found)
    threads = request.options.train.threads or context.threads
    beside = ThreadedGenerator(run, lambda: context.wake(request.job), threads)
    try:
        while (yield from beside.next()) is not None:
            yield Rest(0.0)
        yield SpeedMeasured(request.job, request.key, found[0])
    finally:
        beside.wait()
        run.close()


def _kept(run: Generator[None, None, float], found: list[float]) -> Generator[bool, None, None]:
    found.append((yield from retold(run, lambda _: True)))


def _whole(run: Generator[WorkEvent, None, BatchView]) -> Generator[WorkEvent | BatchView, None, None]:
    view = yield from run
    yield view


def open_run(request: OpenRun, context: JobContext) -> Iterator[RunOpened]:
    """What lies in the folder; a probe that cannot be read is left out."""
    run = stored_run(Path(request.out))
    yield RunOpened(request.job, run, _last_probe(run))


def _last_probe(run: StoredRun) -> ProbeEvent | None:
    if not run.frames:
        return None
    step = run.frames[-1]
    path = run.out / PROBE / f"{step:08d}{SUFFIX}"
    try:
        return ProbeEvent(step=step, epoch=0.0, trace=open_trace(path), path=str(path))
    except HeadscopeError:
        return None


def _live(out: str, trainings: Mapping[int, TrainingJob]) -> Control | None:
    for training in trainings.values():
        same = bool(out) and os.path.realpath(training.request.out) == os.path.realpath(out)
        if same and training.control.trainer is not None:
            return training.control
    return None
