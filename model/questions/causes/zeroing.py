"""Value zeroing: how much an output turns when a token's value is nothing: the question and its answer.

Mohebbi et al. 2023, "Quantifying Context Mixing in Transformers" (arXiv 2301.12971): within one layer the
value vectors of token j are set to zero in all heads, attention weights unchanged, and the layer is computed
on from there, feed-forward network and norms included (a decoder's cross-attention too):

    c_ij ∝ 1 - cos(y_i, y_i with v_j = 0),  rows normalised to sum to 1.

Their rollout multiplies the layers of an encoder without adding an identity: the residual is in y_i already.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from model.questions.causes.contributions import rolled
from model.questions.questions import Question, Urgency
from model.trace.trace import AttentionKind, Floats


@dataclass(frozen=True)
class ZeroingOf(Question, answered_by="model.causes.zeroing:zeroing_of"):
    """How much each layer's outputs turn without each token's values; answered by `Zeroing`."""

    urgency: ClassVar[Urgency] = "background"


@dataclass(frozen=True, eq=False)
class Zeroing:
    """Value zeroing of every layer.

    Attributes:
        layers: by family float32 [L, Q, K]; rows sum to 1.
    """

    layers: Mapping[AttentionKind, Floats]

    @cached_property
    def encoder_through(self) -> Floats:
        """[E + 1, S, S]: none, then the product of the encoder's first layers."""
        return rolled(self.layers[AttentionKind.ENCODER_SELF])
