"""General scores: what heads do whatever the sentence; patterns of repeated tokens scored. No torch.

Formulas and sources: `model.heads.head_metrics`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from model.heads.head_metrics import GENERAL, General
from model.trace.trace import AttentionKind, Floats

Doubles = npt.NDArray[np.float64]

PLACES = {metric: place for place, metric in enumerate(GENERAL)}


@dataclass(frozen=True, eq=False)
class GeneralScores:
    """What every head of a model does in general.

    Attributes:
        values: by kind float64 [L, H, 4] in the order of `GENERAL`; NaN where a metric says nothing.
        tokens: n, how many random tokens were written twice; 0 where the model has no room for any.
        sequences: how many such sequences the means are over.
        seed: they were drawn with.
        same_words: source and target have one vocabulary; else copying is not defined of cross-attention.
    """

    values: Mapping[AttentionKind, Doubles]
    tokens: int
    sequences: int
    seed: int
    same_words: bool

    def of(self, kind: AttentionKind, metric: General) -> Doubles:
        """[L, H] one metric of a kind of attention."""
        found: Doubles = self.values[kind][:, :, PLACES[metric]]
        return found


def repeated_scores(patterns: Floats, first: int, tokens: int, *, causal: bool) -> Doubles:
    """How much heads look at the token before, at the same token's first copy, and behind that.

    Args:
        patterns: [..., Q, K] of a sequence whose `tokens` different tokens stand at `first` and once more
            right behind themselves.
        causal: induction, which foretells the next token, is only asked of who does not see it.

    Returns:
        [..., 3]: previous, duplicate, induction; NaN without tokens.
    """
    rows = np.arange(first + tokens, first + 2 * tokens)
    found = np.full((*patterns.shape[:-2], 3), np.nan)
    for place, offset in enumerate((-1, -tokens, 1 - tokens)):
        if len(rows) > 1 and (causal or place < 2):
            found[..., place] = patterns[..., rows, rows + offset].astype(np.float64).mean(-1)
    return found
