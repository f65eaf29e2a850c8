"""measure: how soon a guided model learns, its maps as they form, and how diagonal each head is."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import decode_events
from model.experiments.guided import WIDTH
from model.experiments.running.trained import Trained, accuracy
from model.heads.head_metrics import Metric
from model.heads.head_scores import HeadScores, score_trace
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_sequence import PROBE, TraceSequence
from model.training.objectives.guided_attention import penalty_map
from model.training.progress.history import stored_run

SENTENCES = 60
"""Pairs of which accuracy is measured, and half as many of which heads are."""

CROSS = AttentionKind.CROSS


def measure(trained: Trained) -> Generator[None, None, dict[str, Any]]:
    """What the page shows.

    `accuracy` of greedy decoding; `area`: the mean held-out loss over the run's evaluations, low where a
    model learned soon; `diagonality`: [head] of the cross-attention, mean over right translations; of the
    first seed `frames`: the mean over heads of the probe's map at each kept step, and `penalty`: W of it.
    """
    pairs = trained.pairs(SENTENCES)
    right = yield from accuracy(trained.bundle, pairs)
    heads = []
    for source, target in pairs[: SENTENCES // 2]:
        config = DecodeConfig(mode="forced", target=target)
        trace = list(decode_events(trained.bundle, source, config))[-1].trace
        heads.append(_diagonality(trace))
        yield None
    evals = stored_run(trained.folder).evals
    result: dict[str, Any] = {
        "accuracy": right,
        "area": float(np.mean([one.heldout_loss for one in evals])),
        "diagonality": np.mean(heads, axis=0),
    }
    return {**result, **_frames(trained)} if trained.seed == 1 else result


def _diagonality(trace: Trace) -> np.ndarray:
    """[head] of the last decoder layer's cross-attention (Zhang et al. 2020, arXiv 2011.04906)."""
    *_, scores = score_trace(trace)
    assert isinstance(scores, HeadScores)
    return np.asarray(scores.of(CROSS, Metric.DIAGONALITY)[-1])


def _frames(trained: Trained) -> dict[str, Any]:
    sequence = TraceSequence.open(trained.folder / PROBE)
    maps = [_mean(sequence.frame(index)) for index in range(len(sequence))]
    last = sequence.frame(len(sequence) - 1)
    rows, columns = maps[-1].shape
    return {
        "frames": {
            "src": list(last.src_tokens),
            "read": list(last.tgt_in_tokens),
            "cross": [one.round(3).tolist() for one in maps],
        },
        "penalty": penalty_map(rows, columns, rows, columns, WIDTH).numpy().round(3),
    }


def _mean(trace: Trace) -> np.ndarray:
    layer = trace.layers(CROSS) - 1
    return np.asarray(
        np.mean([trace.pattern(CROSS, layer, head) for head in range(trace.heads(CROSS))], axis=0)
    )
