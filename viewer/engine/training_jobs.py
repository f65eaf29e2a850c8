"""The shorter jobs around training: surveys of a corpus, a look at a batch, runs that lie on disk."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path

from model.errors import HeadscopeError
from model.trace_file import open_trace
from model.trace_sequence import PROBE, SUFFIX
from model.training.batch_view import BatchView
from model.training.control import Control
from model.training.events import ProbeEvent, WorkEvent
from model.training.history import StoredRun, stored_run
from model.work import retold
from viewer.engine.beside import Beside
from viewer.engine.scheduler import Rest
from viewer.engine.threads import prepare_torch
from viewer.engine.training_job import TrainingJob
from viewer.engine.training_tools import TrainingTools
from viewer.state.messages import Progress
from viewer.state.training_messages import (
    BatchSeen,
    LookAtBatch,
    MeasureSpeed,
    OpenRun,
    RunOpened,
    SpeedMeasured,
    Survey,
    Surveyed,
)


def survey(request: Survey, tools: TrainingTools, cancelled: threading.Event) -> Iterator[Surveyed]:
    """What is known of the corpus as it is read."""
    for known in tools.survey(request.options, cancelled.is_set):
        yield Surveyed(request.job, known)


def look_at_batch(
    request: LookAtBatch,
    tools: TrainingTools,
    trainings: Mapping[int, TrainingJob],
    rouse: Callable[[], None],
    threads: int,
) -> Iterator[BatchSeen | Progress | Rest]:
    """The batch, seen with the weights of the run that makes steps into the folder, if one does.

    Where none does there is much to read first, which is done beside the worker.
    """
    prepare_torch(threads)
    live = _live(request.out, trainings)
    run = _whole(tools.look_at_batch(request.options, Path(request.out), request.step, request.pad, live))
    beside = Beside(run, rouse, threads)
    try:
        while True:
            seen = next(run, None) if live is not None else (yield from beside.next())
            if seen is None:
                return
            if isinstance(seen, WorkEvent):
                yield Progress(request.job, seen.stage, seen.done, seen.total)
            else:
                yield BatchSeen(request.job, seen)
    finally:
        beside.wait()
        run.close()


def measure_speed(
    request: MeasureSpeed, tools: TrainingTools, rouse: Callable[[], None], threads: int
) -> Iterator[SpeedMeasured | Rest]:
    """How fast this machine is, found out beside the worker as a run prepares itself there."""
    prepare_torch(threads)
    found: list[float] = []
    run = _kept(tools.measured_speed(request.options, request.tokens), found)
    beside = Beside(run, rouse, request.options.train.threads or threads)
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


def open_run(request: OpenRun) -> Iterator[RunOpened]:
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
