"""Rows of attention worked out in numpy, and one small enough to work out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from model.questions.answers import RowArithmetic
from model.trace.trace import ArrayPatterns, AttentionKind, Trace
from tests.viewer.figure_samples import SOURCE, TARGET, sample_trace, trace_of

# By hand: e = 4, so that √e = 2; scores 4, 2, 0, 8 → 2, 1, 0, 4; the last key is forbidden.
Q = np.array([1, 2, 0, -1], np.float32)
KEYS = np.array([[2, 1, 5, 0], [0, 0, 7, -2], [1, 0, 0, 1], [4, 2, 0, 0]], np.float32)
VALUES = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 9]], np.float32)
SCORES = [4.0, 2.0, 0.0, 8.0]
FORBIDDEN = np.array([False, False, False, True])
POWERS = np.exp(np.array([2.0, 1.0, 0.0]))
WEIGHTS = np.append(POWERS / POWERS.sum(), 0).astype(np.float32)  # 0.665241, 0.244728, 0.090031
HEADS, SIZE = 2, 8
LAYER, HEAD, QUERY = 1, 0, 1


def by_hand(**changes: Any) -> RowArithmetic:
    """The row above, of cross-attention, layer 1, head 0, query 1; W_O repeats the output twice, doubled."""
    used = np.asarray(changes.get("used", WEIGHTS), np.float32)
    output = used @ VALUES
    projection = np.vstack([np.eye(4), 2 * np.eye(4)]).astype(np.float32)
    share = projection @ output
    bias = np.array([0, 0, 0, 0, 0, 0, 0, 3], np.float32)
    other = np.array([0, 0, 0, 4, 0, 0, 0, 0], np.float32)
    scaled = np.array(SCORES, np.float32) / 2
    row = RowArithmetic(
        kind=AttentionKind.CROSS,
        layer=LAYER,
        head=HEAD,
        query=QUERY,
        q=Q,
        keys=KEYS,
        values=VALUES,
        scores=np.array(SCORES, np.float32),
        scaled=scaled,
        masked=np.where(FORBIDDEN, -np.inf, scaled).astype(np.float32),
        forbidden=FORBIDDEN,
        pattern=WEIGHTS,
        used=used,
        output=output,
        projection=projection,
        share=share,
        bias=bias,
        total=share + other + bias,
        share_norms=np.array([np.linalg.norm(share), 4], np.float32),
    )
    return replace(row, **changes)


def trace_by_hand(row: np.ndarray[Any, Any] = WEIGHTS, **changes: Any) -> Trace:
    """A trace whose cross-attention has that row; its source is `SOURCE`, its target `TARGET`."""
    plain = sample_trace()
    arrays = {kind: plain.patterns.layer(kind, LAYER)[None].repeat(2, axis=0) for kind in plain.kinds}
    cross = arrays[AttentionKind.CROSS].copy()
    cross[LAYER, HEAD, QUERY] = row
    patterns = ArrayPatterns({**arrays, AttentionKind.CROSS: cross})
    return replace(trace_of(arrays, SOURCE, TARGET, **changes), patterns=patterns)


def made_row(
    keys: int = 12, size: int = 64, heads: int = 8, *, query: int = 5, seed: int = 0
) -> RowArithmetic:
    """A row of a model of size × heads, drawn at random, causal up to the query; in float64, then rounded."""
    draw = np.random.default_rng(seed)
    q, k, v = (
        draw.standard_normal(size),
        draw.standard_normal((keys, size)),
        draw.standard_normal((keys, size)),
    )
    scores = k @ q
    forbidden = np.arange(keys) > query
    masked = np.where(forbidden, -np.inf, scores / np.sqrt(size))
    powers = np.exp(masked - masked.max())
    pattern = powers / powers.sum()
    projection = draw.standard_normal((size * heads, size)) / 20
    output = pattern @ v
    share, bias = projection @ output, 0.1 * draw.standard_normal(size * heads)
    others = 0.3 * draw.standard_normal((heads - 1, size * heads))
    norms = np.array(
        [*np.linalg.norm(others[:2], axis=1), np.linalg.norm(share), *np.linalg.norm(others[2:], axis=1)]
    )
    small = {
        name: np.asarray(value, np.float32)
        for name, value in {
            "q": q, "keys": k, "values": v, "scores": scores, "scaled": scores / np.sqrt(size),
            "masked": masked, "pattern": pattern, "used": pattern, "output": output,
            "projection": projection, "share": share, "bias": bias,
            "total": share + bias + others.sum(axis=0), "share_norms": norms,
        }.items()
    }  # fmt: skip
    return RowArithmetic(
        kind=AttentionKind.DECODER_SELF, layer=1, head=2, query=query, forbidden=forbidden, **small
    )


def trace_of_row(row: RowArithmetic, **changes: Any) -> Trace:
    """A decoding of as many steps as the row has keys, whose recorded weights are the row's."""
    steps, heads = len(row.pattern), len(row.share_norms)
    words = tuple(f"▁{'mot' * (1 + n % 3)}{n}" for n in range(steps - 1))
    weights = np.zeros((2, heads, steps, steps), np.float32)
    weights[:, :, :, 0] = 1
    weights[row.layer, row.head, row.query] = row.pattern
    patterns = {AttentionKind.DECODER_SELF: weights, AttentionKind.CROSS: weights.copy()}
    return trace_of(patterns, (*words, "</s>"), (*words, "</s>"), **changes)
