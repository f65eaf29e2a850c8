"""A trace with cross-attention chosen by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from model.trace.trace import ArrayPatterns, AttentionKind, Trace


def cross_trace(
    cross: Any,
    source: tuple[str, ...],
    target: tuple[str, ...],
    *,
    src_text: str,
    tgt_text: str,
    **changes: Any,
) -> Trace:
    """Of weights [L, H, T, S] between pieces; the target begins with the start token."""
    steps = len(target)
    read = ("<s>", *target)[:steps]
    fields: dict[str, Any] = {
        "patterns": ArrayPatterns({AttentionKind.CROSS: np.asarray(cross, np.float32)}),
        "src_text": src_text,
        "tgt_text": tgt_text,
        "src_tokens": source,
        "tgt_in_tokens": read,
        "tgt_out_tokens": target,
        "src_ids": np.arange(len(source)),
        "tgt_in_ids": np.arange(steps),
        "tgt_out_ids": np.arange(1, steps + 1),
        "step_logprob": np.zeros(steps, np.float32),
        "candidate_ids": np.zeros((steps, 1), np.int64),
        "candidate_logprobs": np.zeros((steps, 1), np.float32),
        "candidate_tokens": tuple((piece,) for piece in target),
    }
    return Trace(**{**fields, **changes})


# "the red car" → "la voiture rouge": la-the, voiture-car, rouge-red.
SOURCE = ("▁the", "▁red", "▁car", "</s>")
TARGET = ("▁la", "▁voiture", "▁rouge", "</s>")
LINKS = ((0, 0), (2, 1), (1, 2))


def one_hot(*keys: int, count: int = 4) -> np.ndarray[Any, Any]:
    """Rows that look at one key each."""
    return np.eye(count, dtype=np.float32)[list(keys)]


# Row t predicts word t and looks at the word that it comes from; the last predicts the end.
PREDICTING = one_hot(0, 2, 1, 3)
# Row t reads word t - 1 and looks at what that one comes from; row 0 reads the start.
READING = one_hot(3, 0, 2, 1)


def sample_trace(**changes: Any) -> Trace:
    """One layer of two heads: `PREDICTING`, `READING`."""
    return cross_trace(
        [[PREDICTING, READING]],
        SOURCE,
        TARGET,
        src_text="the red car",
        tgt_text="la voiture rouge",
        **changes,
    )
