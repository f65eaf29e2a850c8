"""Jobs: what the worker does for each request.

Generators of results, a yield being a place to be interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from model.work import retold
from viewer.document.messages.messages import (
    Ask,
    Decode,
    JobCancelled,
    JobProgress,
    ModelOpened,
    OpenModel,
    Result,
    SplitText,
    TraceHypothesis,
)
from viewer.document.messages.training_messages import ComputeBatch, MeasureSpeed, OpenRun, Survey, Train
from viewer.engine.context import JobContext
from viewer.engine.decoding_jobs import decode, trace_hypothesis
from viewer.engine.question_jobs import ask
from viewer.engine.training_jobs import compute_batch, measure_speed, open_run, survey, train
from viewer.giving_way import give_way

_WAIT_S = 0.1


def open_model(request: OpenModel, context: JobContext) -> Iterator[Result | None]:
    """The model, with progress."""
    yield JobProgress(request.job, "loading", 0, 0)
    if context.model is not None:
        # Tokenizers are read in plain Python, which would take the interpreter from the window: it may be
        # about to show what the model goes with. At the start all wait for the model.
        give_way(lambda: context.cancelled(request.job), _WAIT_S)
        yield None  # it may have been cancelled, or something more urgent been asked for
    source = yield from retold(
        context.load_model(request.path), lambda loaded: JobProgress(request.job, "loading", *loaded)
    )
    # A yield, so that a cancelled opening leaves the model that was there; so does one that fails.
    yield None
    context.model = source
    yield ModelOpened(request.job, source.info())


def split(request: SplitText, context: JobContext) -> Iterator[Result]:
    """The pieces; typing before there is a model is no mistake: nothing is answered."""
    yield JobCancelled(request.job) if context.model is None else context.model.split(request)


JOBS: Mapping[type, Callable[[Any, JobContext], Iterator[object]]] = {
    OpenModel: open_model,
    Decode: decode,
    TraceHypothesis: trace_hypothesis,
    Ask: ask,
    SplitText: split,
    Train: train,
    Survey: survey,
    ComputeBatch: compute_batch,
    MeasureSpeed: measure_speed,
    OpenRun: open_run,
}
"""What is done for a request, by its type or one that it inherits from."""
