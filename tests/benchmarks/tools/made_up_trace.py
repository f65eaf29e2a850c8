"""A trace of any length with random patterns, written without ever being in memory as a whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from model.trace.trace import AttentionKind, Floats, Trace
from model.trace.trace_file import save_trace

LAYERS, HEADS = 6, 8
KINDS = tuple(AttentionKind)
_CANDIDATES = 10


class RandomPatterns:
    """Rows that sum to 1 with a few large weights each; decoder self-attention sees no later token."""

    def __init__(self, tokens: int, size: tuple[int, int], kinds: tuple[AttentionKind, ...]) -> None:
        """Args: size: layers and heads of every kind."""
        self.tokens = tokens
        self._size, self._kinds = size, kinds

    def shape(self, kind: AttentionKind) -> tuple[int, int, int, int] | None:
        """See `model.trace.trace.Patterns`."""
        return (*self._size, self.tokens, self.tokens) if kind in self._kinds else None

    def pattern(self, kind: AttentionKind, layer: int, head: int) -> Floats:
        """See `model.trace.trace.Patterns`."""
        weights: Floats = self.layer(kind, layer)[head]
        return weights

    def layer(self, kind: AttentionKind, layer: int) -> Floats:
        """See `model.trace.trace.Patterns`."""
        generator = np.random.default_rng([list(AttentionKind).index(kind), layer])
        heads = self._size[1]
        weights = generator.standard_exponential((heads, self.tokens, self.tokens), dtype=np.float32)
        weights *= weights
        weights *= weights
        if kind is AttentionKind.DECODER_SELF:
            weights = np.tril(weights)
        weights /= weights.sum(-1, keepdims=True)
        return weights


def write_made_up_trace(
    path: Path,
    tokens: int,
    size: tuple[int, int] = (LAYERS, HEADS),
    kinds: tuple[AttentionKind, ...] = KINDS,
    *,
    float16: bool = False,
) -> None:
    """Layers and heads as asked of every family asked, `tokens` on both sides, float32 or float16."""
    words = tuple(f"▁word{number}" for number in range(tokens - 1))
    ids = np.arange(4, tokens + 3, dtype=np.int64)
    logprobs = np.log(np.arange(_CANDIDATES, 0, -1, dtype=np.float32) / 60)
    trace = Trace(
        patterns=RandomPatterns(tokens, size, kinds),
        src_text=" ".join(words).replace("▁", ""),
        tgt_text=" ".join(words).replace("▁", ""),
        src_tokens=(*words, "</s>"),
        tgt_in_tokens=("<s>", *words),
        tgt_out_tokens=(*words, "</s>"),
        src_ids=np.append(ids, 3),
        tgt_in_ids=np.insert(ids, 0, 2),
        tgt_out_ids=np.append(ids, 3),
        step_logprob=np.full(tokens, logprobs[0]),
        candidate_ids=np.tile(np.arange(4, 4 + _CANDIDATES, dtype=np.int64), (tokens, 1)),
        candidate_logprobs=np.tile(logprobs, (tokens, 1)),
        candidate_tokens=tuple(words[:_CANDIDATES] for _ in range(tokens)),
        model_name="made up",
        created_by="headscope benchmarks",
    )
    save_trace(trace, path, float16=float16)
