"""Traces small enough to be judged by eye."""

from __future__ import annotations

from typing import Any

import numpy as np

from model.trace.trace import ArrayPatterns, AttentionKind, Trace

KINDS = tuple(AttentionKind)
SIZES = {"encoder_self": ("s", "s"), "decoder_self": ("t", "t"), "cross": ("t", "s")}


def make_trace(
    s: int = 3, t: int = 2, k: int = 2, *, kinds: tuple[str, ...] = KINDS, seed: int = 0, **changes: Any
) -> Trace:
    draw = np.random.default_rng(seed)
    arrays = {}
    for kind in kinds:
        queries, keys = ({"s": s, "t": t}[side] for side in SIZES[kind])
        weights = draw.random((2, 2, queries, keys), dtype=np.float32)
        arrays[AttentionKind(kind)] = weights / weights.sum(-1, keepdims=True, dtype=np.float32)
    values: dict[str, Any] = {
        "patterns": ArrayPatterns(arrays),
        "src_text": "ein Wort" if s else "",
        "tgt_text": "一个词",
        "src_tokens": tuple(f"▁s{i}" for i in range(s)),
        "tgt_in_tokens": tuple(f"▁i{i}" for i in range(t)),
        "tgt_out_tokens": tuple(f"▁o{i}" for i in range(t)),
        "src_ids": np.arange(s, dtype=np.int64),
        "tgt_in_ids": np.arange(t, dtype=np.int64) + 100,
        "tgt_out_ids": np.arange(t, dtype=np.int64) + 101,
        "step_logprob": -draw.random(t, dtype=np.float32),
        "candidate_ids": draw.integers(0, 99, (t, k)),
        "candidate_logprobs": -np.sort(draw.random((t, k), dtype=np.float32)),
        "candidate_tokens": tuple(tuple(f"c{i}{j}" for j in range(k)) for i in range(t)),
        "model_name": "tiny",
        "model_sha256": "ab" * 32,
        "decoding": {"mode": "beam", "beam": 4},
        "seed": 7,
    }
    return Trace(**{**values, **changes})


def drawn(t: int = 2, k: int = 2) -> dict[str, Any]:
    """What a sampled trace has besides."""
    logprobs = np.full((t, k), -np.inf, np.float32)
    logprobs[:, :1] = -0.25
    return {
        "step_rank": np.arange(t, dtype=np.int64) + 1,
        "candidate_drawn": logprobs,
        "drawn_count": np.full(t, 7, np.int64),
    }


def same(a: Trace, b: Trace) -> None:
    for name in (
        "src_ids",
        "tgt_in_ids",
        "tgt_out_ids",
        "step_logprob",
        "candidate_ids",
        "candidate_logprobs",
    ):
        left, right = getattr(a, name), getattr(b, name)
        assert left.dtype == right.dtype, name
        assert left.shape == right.shape, name
        assert left.tobytes() == right.tobytes(), name
    for name in ("step_rank", "candidate_drawn", "drawn_count"):
        left, right = getattr(a, name), getattr(b, name)
        assert (left is None) == (right is None), name
        if left is not None:
            assert (left.dtype, left.shape, left.tobytes()) == (right.dtype, right.shape, right.tobytes()), (
                name
            )
    texts = (
        "src_text",
        "tgt_text",
        "src_tokens",
        "tgt_in_tokens",
        "tgt_out_tokens",
        "candidate_tokens",
        "seed",
    )
    notes = (
        "model_name",
        "model_sha256",
        "decoding",
        "alterations",
        "numbers",
        "compute_dtype",
        "finished",
        "extra",
    )
    for name in (*texts, *notes):
        assert getattr(a, name) == getattr(b, name), name
    assert a.kinds == b.kinds
    for kind in a.kinds:
        assert a.patterns.shape(kind) == b.patterns.shape(kind)
        for layer in range(a.layers(kind)):
            assert a.patterns.layer(kind, layer).tobytes() == b.patterns.layer(kind, layer).tobytes()
