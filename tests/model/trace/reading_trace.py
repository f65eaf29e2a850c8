"""A trace of a model that reads, small enough to be judged by eye."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from model.trace.trace import Trace
from tests.model.tiny_trace import make_trace

K = 3
SHARES = (0.5, 0.25, 0.125)


def reading_trace(
    tokens: Sequence[str] = ("[CLS]", "the", "[MASK]", "sat", "[SEP]", "it", "##s", "[SEP]"),
    first: Mapping[int, str] | None = None,
    **changes: Any,
) -> Trace:
    """Of each token the word itself (of a mask `w0`, or what `first` says) has half of the probability."""
    s = len(tokens)
    best = [
        (first or {}).get(place, "w0" if token == "[MASK]" else token) for place, token in enumerate(tokens)
    ]
    text = " ".join(token for token in tokens[1:-1]).replace(" ##", "")
    ends = [place for place, token in enumerate(tokens) if token == "[SEP]"]
    masked = np.array([token == "[MASK]" for token in tokens])
    values: dict[str, Any] = {
        "kinds": ("encoder_self",),
        "src_text": text,
        "tgt_text": "",
        "src_tokens": tuple(tokens),
        "src_ids": np.where(masked, 999, np.arange(s) * K),
        "src_candidate_ids": np.arange(s * K).reshape(s, K),
        "src_candidate_logprobs": np.log(np.tile(np.array(SHARES, np.float32), (s, 1))),
        "src_candidate_tokens": tuple((word, "w1", "##w2") for word in best),
        "src_logprob": np.log(np.where(masked, 0.001, SHARES[0])).astype(np.float32),
        "src_rank": np.where(masked, 77, 1),
        "src_segments": np.array([int(bool(ends) and place > ends[0]) for place in range(s)]),
        "decoding": {"mode": "read", "candidates": K},
        "extra": {"mask_token": "[MASK]", "token_style": "wordpiece"},
        "seed": None,
    }
    return make_trace(s, 0, 0, **{**values, **changes})
