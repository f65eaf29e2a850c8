"""Traces and pictures to export, made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from model.trace.trace import ArrayPatterns, AttentionKind, Trace

ENGLISH = ("▁The", "▁little", "▁girl", "▁gave", "▁app", "les", "▁.", "</s>")
FRENCH = ("<s>", "▁La", "▁petite", "▁fille", "▁donné", "▁,", '▁"', "</s>")
CHINESE = ("猫", "坐在", "垫子", "上", "。", "</s>")


def softmax_rows(scores: np.ndarray) -> np.ndarray:
    """Softmax over the last axis; -inf gives 0."""
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return (powers / powers.sum(-1, keepdims=True)).astype(np.float32)


def sample_trace(
    *,
    source: tuple[str, ...] = ENGLISH,
    target: tuple[str, ...] = FRENCH,
    layers: int = 2,
    heads: int = 3,
    seed: int = 0,
    **changes: Any,
) -> Trace:
    """A trace with made-up weights; the decoder's self-attention is causal."""
    draw = np.random.default_rng(seed)
    read, predicted = target[:-1], target[1:]
    s, t = len(source), len(read)
    causal = np.where(np.tri(t, dtype=bool), 0.0, -np.inf)
    arrays = {
        AttentionKind.ENCODER_SELF: softmax_rows(3 * draw.standard_normal((layers, heads, s, s))),
        AttentionKind.DECODER_SELF: softmax_rows(3 * draw.standard_normal((layers, heads, t, t)) + causal),
        AttentionKind.CROSS: softmax_rows(3 * draw.standard_normal((layers, heads, t, s))),
    }
    values: dict[str, Any] = {
        "patterns": ArrayPatterns(arrays),
        "src_text": "".join(source[:-1]).replace("▁", " ").strip(),
        "tgt_text": "".join(target[1:-1]).replace("▁", " ").strip(),
        "src_tokens": source,
        "tgt_in_tokens": read,
        "tgt_out_tokens": predicted,
        "src_ids": np.arange(s, dtype=np.int64),
        "tgt_in_ids": np.arange(t, dtype=np.int64) + 50,
        "tgt_out_ids": np.arange(t, dtype=np.int64) + 51,
        "step_logprob": -draw.random(t, dtype=np.float32),
        "candidate_ids": draw.integers(0, 99, (t, 2)),
        "candidate_logprobs": -np.sort(draw.random((t, 2), dtype=np.float32)),
        "candidate_tokens": tuple((f"a{i}", f"b{i}") for i in range(t)),
        "model_name": "made-up",
        "model_sha256": "0123456789ab" * 5 + "cdef",
        "decoding": {"mode": "greedy", "candidates": 10},
        "created_by": "headscope test",
    }
    return Trace(**{**values, **changes})


def words(count: int, *, start: str = "▁w") -> tuple[str, ...]:
    """`count` tokens, the last one the end token."""
    return (*(f"{start}{i}" for i in range(count - 1)), "</s>")
