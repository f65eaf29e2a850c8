"""The jobs that decode a sentence, and those that look further into a decoding."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import replace

from model.errors import HeadscopeError
from viewer.document.messages.messages import (
    Decode,
    TraceDone,
    TraceGrew,
    TraceHypothesis,
)
from viewer.document.messages.notice import Notice
from viewer.document.text.input_text import produced_ids
from viewer.engine.context import JobContext
from viewer.engine.scheduler import Rest, Suspend
from viewer.engine.source import ModelSource


def decode(request: Decode, context: JobContext) -> Iterator[TraceGrew | TraceDone | Suspend | Rest | None]:
    """A token at a time, resting in between as its pace wants it; at an infinite one paused after each.

    The tokens that a branch takes over are there at once: each time somebody asks, something new is made.
    """
    taken_over = len(request.config.prefix_ids)
    for told in _model(context).decode(request):
        if isinstance(told, TraceDone):
            yield TraceGrew(request.job, told.trace, told.considered)
            yield _noted(told)
            return
        if told is None or len(produced_ids(told.trace)) <= taken_over:
            yield told
            continue
        made = time.monotonic()
        held = math.isinf(_pace(request, context))
        yield Suspend(replace(told, paused=True)) if held else told
        while made <= time.monotonic() < made + _pace(request, context) < math.inf:
            yield Rest(made + _pace(request, context) - time.monotonic())
    raise HeadscopeError("internal", detail="the model came to no end")


def _noted(done: TraceDone) -> TraceDone:
    """With a note where the length limit ended it, the one thing that ends a decoding early.

    A text that is gone on with seldom ends before it.
    """
    if done.trace.finished or done.trace.prompt_length:
        return done
    return replace(done, note=Notice("length_limit", {"tokens": done.trace.steps}, "warning"))


def trace_hypothesis(request: TraceHypothesis, context: JobContext) -> Iterator[TraceDone | None]:
    """One trace, whole."""
    return _model(context).hypothesis(request)


def _model(context: JobContext) -> ModelSource:
    if context.model is None:
        raise HeadscopeError("no_model")
    return context.model


def _pace(request: Decode, context: JobContext) -> float:
    return context.paces.get(request.job, request.pace)
