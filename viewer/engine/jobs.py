"""What the worker does for each request: generators of results, a yield being a place to be interrupted."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Protocol

from model.work import retold
from viewer.engine.asking_jobs import ask
from viewer.engine.decoding_jobs import decode, look_at_hypothesis, measure_heads, try_orders
from viewer.engine.scheduler import Job
from viewer.engine.source import LoadModel, ModelSource
from viewer.engine.training_job import TrainingJob
from viewer.engine.training_jobs import look_at_batch, measure_speed, open_run, survey
from viewer.engine.training_tools import TrainingTools
from viewer.state.messages import (
    Ask,
    Decode,
    JobCancelled,
    LookAtHypothesis,
    MeasureHeads,
    ModelOpened,
    OpenModel,
    Priority,
    Progress,
    Request,
    Result,
    SplitText,
    TryOrders,
)
from viewer.state.training_messages import LookAtBatch, MeasureSpeed, OpenRun, Survey, Train


class Desk(Protocol):
    """What jobs work at.

    Attributes:
        model: the current one.
        load_model: how to load another.
        tools: what training jobs call.
        threads: processor threads for torch.
        trainings: runs that go on, by the ids of their jobs.
        paces: of decodings whose pace was changed after they were asked for, by the ids of their jobs.
    """

    model: ModelSource | None
    load_model: LoadModel
    tools: TrainingTools
    threads: int
    trainings: dict[int, TrainingJob]
    paces: dict[int, float]

    def rouse(self, job: int) -> None:
        """A resting job has something to do again; may be said in any thread, is heard in the worker's."""


def job_of(request: Request, desk: Desk, cancelled: threading.Event) -> Job:
    """The job of a request; nothing runs before its first slice.

    Raises:
        TypeError: the worker knows no such request.
    """
    if isinstance(request, Train):
        training = TrainingJob(request, desk.tools, lambda: desk.rouse(request.job), desk.threads)
        desk.trainings[request.job] = training
        job = Job(request.job, training.steps(), request.priority, cancelled, lambda: training.pressing)
    else:
        priority = request.priority
        if isinstance(request, OpenModel) and desk.model is not None:
            priority = Priority.READING  # the model that is there is used until the other one is
        job = Job(request.job, steps_of(request, desk, cancelled), priority, cancelled)
    job.shares = request.priority == Priority.BACKGROUND
    return job


def steps_of(request: Request, desk: Desk, cancelled: threading.Event) -> Iterator[object]:
    """What a job that needs no pausing does, up to each of its yields.

    Raises:
        TypeError: the worker knows no such request.
    """
    if isinstance(request, OpenModel):
        return _open_model(request, desk)
    if isinstance(request, Decode):
        return decode(request, desk)
    if isinstance(request, LookAtHypothesis):
        return look_at_hypothesis(request, desk)
    if isinstance(request, MeasureHeads):
        return measure_heads(request, desk)
    if isinstance(request, TryOrders):
        return try_orders(request, desk)
    if isinstance(request, Ask):
        return ask(request, desk)
    if isinstance(request, SplitText):
        return _split(request, desk)
    if isinstance(request, Survey):
        return survey(request, desk.tools, cancelled)
    if isinstance(request, LookAtBatch):
        return look_at_batch(
            request, desk.tools, desk.trainings, lambda: desk.rouse(request.job), desk.threads
        )
    if isinstance(request, MeasureSpeed):
        return measure_speed(request, desk.tools, lambda: desk.rouse(request.job), desk.threads)
    if isinstance(request, OpenRun):
        return open_run(request)
    raise TypeError(f"no job for a {type(request).__name__}")


def _open_model(request: OpenModel, desk: Desk) -> Iterator[Result | None]:
    yield Progress(request.job, "loading", 0, 0)
    source = yield from retold(
        desk.load_model(request.path), lambda loaded: Progress(request.job, "loading", *loaded)
    )
    # A yield, so that a cancelled opening leaves the model that was there; so does one that fails.
    yield None
    desk.model = source
    yield ModelOpened(request.job, source.info())


def _split(request: SplitText, desk: Desk) -> Iterator[Result]:
    # Typing before there is a model is no mistake: nothing is answered.
    yield JobCancelled(request.job) if desk.model is None else desk.model.split(request)
