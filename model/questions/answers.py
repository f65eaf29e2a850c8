"""Answers to `model.questions` about one reading. Frozen numpy, no torch; float32 unless another is named.

Shapes: d d_model, e = d / heads, f d_ff; S source tokens, T steps, Q queries, K keys, H heads, L layers.
Layers, heads and positions count from 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from model.trace.trace import AttentionKind, Floats, Side

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class RowArithmetic:
    """One query of one head (paper, section 3.2): scores, ÷ √e, mask, softmax, times values, W_O's share.

    Attributes:
        q: [e] the query; keys, values: [K, e] what it meets. Where positions act in attention: query and keys
            as they are turned (rotary), values with what is added to each for this query (relative).
        scores: [K] q · k. scaled: scores / √e. masked: scaled and `placed`, minus infinity where `forbidden`.
        forbidden: [K] where attention is not allowed.
        pattern: [K] softmax of `masked`; zeros if nothing is allowed.
        used: [K] what the model went on with: `pattern`, unless a row was set or a head scaled.
        output: [e] used @ values, the head's output.
        projection: [d, e] the columns of W_O that belong to the head.
        share: [d] projection @ output: what the head adds to the sub-layer's output.
        bias: [d] of W_O, zeros without one.
        total: [d] the sub-layer's output: the shares of all heads and the bias.
        share_norms: [H] Euclidean length of every head's share.
        positions: what acts in this attention, by the name of the architecture's field; empty for nothing.
        placed: [K] what positions add to the scaled scores; None where they add nothing there.
        divided: False of a model that leaves q · k as it is: `scaled` is `scores` then.
    """

    kind: AttentionKind
    layer: int
    head: int
    query: int
    q: Floats
    keys: Floats
    values: Floats
    scores: Floats
    scaled: Floats
    masked: Floats
    forbidden: Flags
    pattern: Floats
    used: Floats
    output: Floats
    projection: Floats
    share: Floats
    bias: Floats
    total: Floats
    share_norms: Floats
    positions: str = ""
    placed: Floats | None = None
    divided: bool = True

    @property
    def compared(self) -> Floats:
        """[K] what the softmax gets where nothing is forbidden: `scaled` and `placed`."""
        return self.scaled if self.placed is None else self.scaled + self.placed


@dataclass(frozen=True, eq=False)
class Stages:
    """All rows of a head at each stage, [Q, K] each; see `RowArithmetic`."""

    kind: AttentionKind
    layer: int
    head: int
    scores: Floats
    scaled: Floats
    masked: Floats
    pattern: Floats
    forbidden: Flags
    placed: Floats | None = None
    divided: bool = True


@dataclass(frozen=True, eq=False)
class EmbeddingSum:
    """What enters a stack (paper, sections 3.4 and 3.5), one row a token, [n, d] each.

    Attributes:
        scale: √d_model, or 1 where the model does not scale.
        embedding: of each token, times `scale`.
        position: what is added; zeros where nothing is.
        total: their sum.
    """

    side: Side
    scale: float
    embedding: Floats
    position: Floats
    total: Floats


@dataclass(frozen=True, eq=False)
class WalkStep:
    """One stage that a position passes.

    Attributes:
        stage: `embedding` (scaled), `position`, `sum`; then in each layer `self_attention`, `cross`,
            `feed_forward` (the sub-layer's output), `residual` (after adding), `norm` (after the norm);
            last `final_norm` in pre-norm. In the order in which the model computes them.
        sublayer: which sub-layer a `residual` or `norm` belongs to, else the stage itself.
        layer: None before the first and after the last layer.
        vector: [d] what comes out.
        mean, deviation: of a norm: of the d numbers that go in (deviation with 1 / d, without eps).
        before: [d] of a norm: what goes in; else empty.
    """

    stage: str
    sublayer: str
    layer: int | None
    vector: Floats
    mean: float = 0.0
    deviation: float = 0.0
    before: Floats = field(default_factory=lambda: np.zeros(0, np.float32))

    @property
    def norm(self) -> float:
        """Euclidean length of the vector."""
        return float(np.linalg.norm(self.vector.astype(np.float64)))


@dataclass(frozen=True, eq=False)
class Neurons:
    """The neurons of a feed-forward network that do most at a position, largest effect first.

    Attributes:
        index: int64 [n] among the f of the layer.
        activation: [n] after the activation function.
        effect: [n] |activation| times the Euclidean length of the neuron's column of the second matrix.
        active: how many of the `total` are above 0.
    """

    layer: int
    index: npt.NDArray[np.int64]
    activation: Floats
    effect: Floats
    active: int
    total: int


@dataclass(frozen=True, eq=False)
class Lens:
    """What the decoder would say if it stopped after a layer (logit lens, nostalgebraist 2020).

    The layer's output goes through the closing norm, where the model has one, and the output matrix.

    Attributes:
        layer: None for the model's own last word.
        ids, tokens, logits, logprobs: [n] the most probable tokens, descending.
        rank: place of the token that was produced, 1 the most probable; its logprob is `produced`.
    """

    layer: int | None
    ids: npt.NDArray[np.int64]
    tokens: tuple[str, ...]
    logits: Floats
    logprobs: Floats
    rank: int
    produced: float


@dataclass(frozen=True, eq=False)
class Walk:
    """A position on its way through a stack.

    Attributes:
        tokens: raw pieces of the stack, to name positions; `produced` the token that the position predicts,
            empty on the source side.
        steps: in the order of computation.
        neurons: one a layer.
        lenses: one a decoder layer, and the model's own; empty on the source side.
        normalisation: `layer` or `batch`, see `model.config.Architecture`.
    """

    side: Side
    position: int
    tokens: tuple[str, ...]
    produced: str
    steps: tuple[WalkStep, ...]
    neurons: tuple[Neurons, ...]
    lenses: tuple[Lens, ...] = ()
    normalisation: str = "layer"


@dataclass(frozen=True, eq=False)
class ValueGrams:
    """Inner products of the transformed values f_h(x) = (x W_V + b_V) W_O of all heads, for each key.

    Kobayashi et al. 2020, "Attention is Not Only a Weight" (arXiv 2004.10102): the value-weighted weight of a
    head is α ‖f(x)‖, that of a layer ‖Σ_h α_h f_h(x)‖ = √(αᵀ G α).

    Attributes:
        grams: by family float32 [L, K, H, H]; [L, Q, K, H, H] where values depend on the query too, as they
            do in self-attention with relative positions (arXiv 1803.02155).
    """

    grams: Mapping[AttentionKind, Floats]


@dataclass(frozen=True, eq=False)
class Gradients:
    """∂ log p(the step's token) / ∂ weight, for every weight as it is recorded (before a head is scaled).

    Attributes:
        logprob: natural log probability of the token.
        gradients: by family [L, H, Q, K]; times the recorded weights: gradient × attention. Zeros in the rows
            of later steps, and where attention is not allowed.
    """

    step: int
    logprob: float
    gradients: Mapping[AttentionKind, Floats]


@dataclass(frozen=True, eq=False)
class SourceShares:
    """How much of each step comes from the source, how much from the prefix, at each layer's cross-attention.

    ‖c‖ / (‖c‖ + ‖x‖) with c what cross-attention adds, without the bias of W_O, and x the residual stream
    that it is added to. The question is that of Ferrando and Costa-jussà 2021 (arXiv 2109.05853), the
    equation is none of theirs: it leaves out what x holds of the source already, the angle between both, and
    what comes after.

    Attributes:
        source: [L, T] share of the source in each decoder layer, 0 to 1; the rest is the prefix's.
    """

    source: Floats
