"""The jobs that decode a sentence, and those that look further into a decoding."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Protocol

from model.errors import HeadscopeError
from viewer.engine.scheduler import Hold, Rest
from viewer.engine.source import ModelSource
from viewer.state.exploring import Importance, OrderExperiment
from viewer.state.input_text import produced_ids
from viewer.state.messages import (
    Decode,
    HeadsMeasured,
    LookAtHypothesis,
    MeasureHeads,
    OrdersTried,
    Progress,
    TraceDone,
    TraceGrew,
    TryOrders,
)
from viewer.state.notice import Notice


class DecodingDesk(Protocol):
    """What these jobs need of `viewer.engine.jobs.Desk`."""

    model: ModelSource | None
    paces: dict[int, float]


def decode(request: Decode, desk: DecodingDesk) -> Iterator[TraceGrew | TraceDone | Hold | Rest | None]:
    """A token at a time, resting in between as its pace wants it; at an infinite one paused after each.

    The tokens that a branch takes over are there at once: each time somebody asks, something new is made.
    """
    taken_over = len(request.config.prefix_ids)
    for decoded in _model(desk).decode(request):
        if decoded is None:
            yield None
            continue
        made = time.monotonic()
        paced = len(produced_ids(decoded.trace)) > taken_over and not decoded.done
        held = paced and math.isinf(_pace(request, desk))
        grew = TraceGrew(request.job, decoded.trace, decoded.considered, paused=held)
        yield Hold(grew) if held else grew
        while paced and made <= time.monotonic() < made + _pace(request, desk) < math.inf:
            yield Rest(made + _pace(request, desk) - time.monotonic())
        if decoded.done:
            # The length limit is the one thing that ends a decoding early; a text that is gone on with
            # seldom ends before it.
            limited = Notice("length_limit", {"tokens": decoded.trace.steps}, "warning")
            yield TraceDone(
                request.job,
                decoded.trace,
                None if decoded.trace.finished or decoded.trace.prompt_length else limited,
                decoded.n_best,
                decoded.considered,
                decoded.held,
            )
            return
    raise HeadscopeError("internal", detail="the model came to no end")


def look_at_hypothesis(request: LookAtHypothesis, desk: DecodingDesk) -> Iterator[TraceDone | None]:
    """One trace, whole."""
    for decoded in _model(desk).hypothesis(request):
        done = decoded is not None and decoded.done
        yield TraceDone(request.job, decoded.trace) if decoded is not None and done else None


def measure_heads(request: MeasureHeads, desk: DecodingDesk) -> Iterator[Progress | HeadsMeasured]:
    """Every head, with progress."""
    for found in _model(desk).measure(request):
        if isinstance(found, Importance):
            yield HeadsMeasured(request.job, request.run, found)
        else:
            yield Progress(request.job, "measuring", *found)


def try_orders(request: TryOrders, desk: DecodingDesk) -> Iterator[Progress | OrdersTried]:
    """Every reading, with progress."""
    for found in _model(desk).orders(request):
        if isinstance(found, OrderExperiment):
            yield OrdersTried(request.job, found)
        else:
            yield Progress(request.job, "ordering", *found)


def _model(desk: DecodingDesk) -> ModelSource:
    if desk.model is None:
        raise HeadscopeError("no_model")
    return desk.model


def _pace(request: Decode, desk: DecodingDesk) -> float:
    return desk.paces.get(request.job, request.pace)
