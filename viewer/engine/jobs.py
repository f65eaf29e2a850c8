"""What the worker does for each request: generators of results, a yield being a place to be interrupted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from model.errors import HeadscopeError
from viewer.engine.source import Decoded, LoadModel, ModelSource
from viewer.state.messages import (
    Decode,
    JobCancelled,
    ModelOpened,
    OpenModel,
    Progress,
    Request,
    Result,
    SplitText,
    TraceDone,
    TraceGrew,
)
from viewer.state.notice import Notice


class Desk(Protocol):
    """What jobs work at: the current model and how to load another."""

    model: ModelSource | None
    load_model: LoadModel


def steps_of(request: Request, desk: Desk) -> Iterator[Result]:
    """The job of a request; nothing runs before the first `next`.

    Raises:
        TypeError: the worker knows no such request.
    """
    if isinstance(request, OpenModel):
        return _open_model(request, desk)
    if isinstance(request, Decode):
        return _decode(request, desk)
    if isinstance(request, SplitText):
        return _split(request, desk)
    raise TypeError(f"no job for a {type(request).__name__}")


def _open_model(request: OpenModel, desk: Desk) -> Iterator[Result]:
    yield Progress(request.job, "loading", 0, 0)
    source = desk.load_model(request.path)
    # A yield, so that a cancelled opening leaves the model that was there; so does one that fails.
    yield Progress(request.job, "loading", 1, 1)
    desk.model = source
    yield ModelOpened(request.job, source.info())


def _decode(request: Decode, desk: Desk) -> Iterator[Result]:
    if desk.model is None:
        raise HeadscopeError("no_model")
    decoded: Decoded | None = None
    for decoded in desk.model.decode(request):
        yield TraceGrew(request.job, decoded.trace, decoded.considered)
    if decoded is None:
        raise HeadscopeError("internal", detail="the model decoded nothing")
    trace = decoded.trace
    # The length limit is the one thing that ends a decoding early.
    note = None if trace.finished else Notice("length_limit", {"tokens": trace.steps}, "warning")
    yield TraceDone(request.job, trace, note, decoded.n_best)


def _split(request: SplitText, desk: Desk) -> Iterator[Result]:
    # Typing before there is a model is no mistake: nothing is answered.
    yield JobCancelled(request.job) if desk.model is None else desk.model.split(request)
