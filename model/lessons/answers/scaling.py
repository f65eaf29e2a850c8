"""Own scores of a head at several widths, and the time that scores take: what the lesson on √d_k asks."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from statistics import median

import numpy as np
import torch
from torch import Tensor

from model.inspection.arithmetic import KEY, AttentionInputs, attention_inputs, project
from model.inspection.asked import Asked
from model.inspection.plain import check_head, plain
from model.inspection.reading import Reader
from model.lessons.scaling import NARROWEST, OwnScores, OwnSweep, ScoreCost, ScoreTimes, swept
from model.trace.trace import AttentionKind

_QUERY = 0  # which third of the fused projection
_RUNS = 7
_SIZES = (16, 32, 64, 128, 256)
_FIXED = {"n": 64, "d": 128}  # the width while n grows, and the other way round
Scored = tuple[Tensor, int]
"""Scores [n, n], and the bytes of the largest tensor that was made for them."""


def own_scores(question: OwnScores, asked: Asked) -> Iterator[OwnSweep | None]:
    """A head's q·k; yields None while a stack is still to be computed, and last the answer.

    Raises:
        HeadscopeError: as `model.inspection.arithmetic.stages_of`.
    """
    readings = asked.readings
    check_head(readings.bundle.config.architecture, question.kind, question.layer, question.head)
    reader = readings.reader(asked.reading)
    if question.kind is not AttentionKind.ENCODER_SELF:
        reader.require_steps()
    inputs = yield from attention_inputs(readings, reader, question.kind, question.layer)
    yield _own(reader, question, inputs)


@torch.inference_mode()
def _own(reader: Reader, question: OwnScores, inputs: AttentionInputs) -> OwnSweep:
    attention, allowed = reader.attention(question.kind, question.layer), reader.allowed(question.kind)
    spots = reader.spots(question.kind)
    # [n, d_model] each, the dimensions of the head first, then those of the heads after it.
    q, k = (
        project(attention, x, third, spots).roll(-question.head, 0).transpose(0, 1).flatten(1)
        for x, third in ((inputs.queries, _QUERY), (inputs.keys, KEY))
    )
    d_model = q.shape[1]
    d_k = d_model // attention.n_heads
    powers = {2**power for power in range(d_model.bit_length()) if NARROWEST <= 2**power <= d_model}

    def scores_of(width: int) -> Tensor:
        scores = q[:, :width] @ k[:, :width].t()
        return scores if allowed is None else scores.masked_fill(~allowed, -math.inf)

    sweep = swept(lambda width: scores_of(width).numpy(force=True), sorted(powers | {d_k, d_model}))
    adds = spots is not None and reader.architecture.positions != "rotary"
    return OwnSweep(sweep, d_k, plain(scores_of(d_k), finite=False), placed=adds)


def additive(q: Tensor, k: Tensor, v: Tensor) -> Scored:
    """vᵀ tanh(q + k) for every query [n, d] and key [n, d], already projected (arXiv 1409.0473, A.1.2)."""
    hidden = torch.tanh(q[:, None] + k[None])
    return hidden @ v, hidden.nbytes


def dot(q: Tensor, k: Tensor, v: Tensor) -> Scored:
    """q·k; `v` has no part in it."""
    scores = q @ k.t()
    return scores, scores.nbytes


def scaled_dot(q: Tensor, k: Tensor, v: Tensor) -> Scored:
    """q·k / √d (paper, section 3.2.1)."""
    scores = q @ k.t() / math.sqrt(q.shape[1])
    return scores, scores.nbytes


_SCORES: tuple[Callable[[Tensor, Tensor, Tensor], Scored], ...] = (additive, dot, scaled_dot)


def score_times(question: ScoreTimes, asked: Asked) -> Iterator[tuple[int, int] | ScoreCost]:
    """Time and largest tensor of every score at every size; yields progress, and last the answer."""
    milliseconds = np.zeros((len(_SCORES), len(_SIZES)))
    largest = np.zeros((len(_SCORES), len(_SIZES)), np.int64)
    fixed = _FIXED[question.along]
    generator = torch.Generator().manual_seed(question.seed)
    for at, size in enumerate(_SIZES):
        n, d = (size, fixed) if question.along == "n" else (fixed, size)
        q, k, v = (torch.randn(shape, generator=generator) for shape in ((n, d), (n, d), (d,)))
        for which, score in enumerate(_SCORES):
            milliseconds[which, at], largest[which, at] = _timed(score, q, k, v)
        yield at + 1, len(_SIZES)
    sizes = np.array(_SIZES, np.int64)
    yield ScoreCost(sizes, fixed, milliseconds, largest, _RUNS, torch.get_num_threads())


@torch.inference_mode()
def _timed(
    score: Callable[[Tensor, Tensor, Tensor], Scored], q: Tensor, k: Tensor, v: Tensor
) -> tuple[float, int]:
    """Milliseconds, the median of several runs after one that finds memory; bytes."""
    times, largest = [], score(q, k, v)[1]
    for _ in range(_RUNS):
        began = time.perf_counter()
        score(q, k, v)
        times.append(time.perf_counter() - began)
    return 1000 * median(times), largest
