"""Layers of encoder and decoder (paper, section 3.1), post-norm as published or pre-norm.

Parameter names are those of `torch.nn.TransformerEncoderLayer` and `...DecoderLayer`. Dropout is applied
where the paper applies it: to each sub-layer's output (section 5.4), and to the embedding sum.
"""

from __future__ import annotations

from collections.abc import Callable

import torch.nn.functional as F
from torch import Tensor, nn

from model.config import Architecture
from model.network.attention import AttentionSite, MultiHeadAttention, Tap
from model.network.cache import LayerCache
from model.network.carrying import carrying_of
from model.network.dropout import Dropout
from model.network.linear import linear
from model.network.masks import AttentionMask
from model.network.norms import Norm, norm_of
from model.network.relative_positions import RelativePositions, Spots, relative_positions
from model.trace.trace import AttentionKind, Side

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {"relu": F.relu, "gelu": F.gelu, "silu": F.silu}


def _attention(
    a: Architecture, site: AttentionSite, relative: RelativePositions | None = None
) -> MultiHeadAttention:
    return MultiHeadAttention(
        a.d_model, a.n_heads, bias=a.attention_bias, site=site, kv_heads=a.key_heads, relative=relative
    )


class _Layer(nn.Module):
    """What both kinds share: the feed-forward network and the residual around a sub-layer."""

    def __init__(self, architecture: Architecture, inner: int) -> None:
        super().__init__()
        a = architecture
        self.linear1 = nn.Linear(a.d_model, inner)
        self.linear2 = nn.Linear(inner, a.d_model)
        self.activation = ACTIVATIONS[a.activation]
        self.dropout = Dropout(a.dropout)
        self.pre_norm = a.norm == "pre_norm"

    def residual(
        self, x: Tensor, norm: Norm, sublayer: Callable[[Tensor], Tensor], real: Tensor | None = None
    ) -> Tensor:
        """Norm(x + sublayer(x)), or in pre-norm x + sublayer(Norm(x)); `real`: see `Norm.of`."""
        y = sublayer(norm.of(x, real) if self.pre_norm else x)
        x = x + (self.dropout(y) if self.training else y)
        return x if self.pre_norm else norm.of(x, real)

    def feed_forward(self, x: Tensor) -> Tensor:
        """Two linear maps with the activation between (paper, section 3.3)."""
        first, second = self.linear1, self.linear2
        inner = self.activation(linear(x, first.weight, first.bias))
        return linear(inner, second.weight, second.bias)


class EncoderLayer(_Layer):
    """Self-attention, then feed-forward."""

    def __init__(self, architecture: Architecture, layer: int) -> None:
        super().__init__(architecture, architecture.d_ff_of("encoder"))
        a = architecture
        site = AttentionSite(AttentionKind.ENCODER_SELF, layer)
        self.self_attn = _attention(a, site, relative_positions(a))
        self.norm1 = norm_of(a)
        self.norm2 = norm_of(a)

    def forward(
        self,
        x: Tensor,
        mask: AttentionMask | None,
        tap: Tap | None,
        spots: Spots | None = None,
        real: Tensor | None = None,
    ) -> Tensor:
        """x [batch, S, d_model] to the same shape.

        Args:
            spots: where the tokens stand, for positions that act in attention.
            real: bool [batch, S], see `Norm.of`.
        """
        attention = self.self_attn
        x = self.residual(
            x,
            self.norm1,
            lambda y: attention.attend(*attention.project_self(y, spots), mask, tap, spots),
            real,
        )
        return _left(tap, "source", attention.site, self.residual(x, self.norm2, self.feed_forward, real))


class DecoderLayer(_Layer):
    """Masked self-attention, cross-attention to the encoder's output, feed-forward."""

    def __init__(self, architecture: Architecture, layer: int) -> None:
        super().__init__(architecture, architecture.d_ff_of("decoder"))
        a = architecture
        own, cross = (
            AttentionSite(kind, layer) for kind in (AttentionKind.DECODER_SELF, AttentionKind.CROSS)
        )
        self.self_attn = _attention(a, own, relative_positions(a))
        self.multihead_attn = _attention(a, cross)
        self.norm1 = norm_of(a)
        self.norm2 = norm_of(a)
        self.norm3 = norm_of(a)

    def forward(
        self,
        x: Tensor,
        memory: tuple[Tensor, Tensor],
        self_mask: AttentionMask | None,
        memory_mask: AttentionMask | None,
        tap: Tap | None,
        cache: LayerCache | None = None,
        spots: Spots | None = None,
        real: Tensor | None = None,
    ) -> Tensor:
        """x [batch, T, d_model] to the same shape.

        Args:
            memory: keys and values of the encoder's output for this layer, [batch, g, S, d_head] each of g
                heads.
            cache: earlier positions' keys and values; the new ones are appended to it.
            spots: where the tokens stand, for positions that act in attention.
            real: bool [batch, T], see `Norm.of`.
        """
        own, cross = self.self_attn, self.multihead_attn

        def self_attention(y: Tensor) -> Tensor:
            q, k, v = own.project_self(y, spots)
            if cache is not None:
                k, v = cache.append(k, v)
            return own.attend(q, k, v, self_mask, tap, spots)

        x = self.residual(x, self.norm1, self_attention, real)
        x = self.residual(
            x, self.norm2, lambda y: cross.attend(cross.project_query(y), *memory, memory_mask, tap), real
        )
        return _left(tap, "target", own.site, self.residual(x, self.norm3, self.feed_forward, real))


def _left(tap: Tap | None, side: Side, site: AttentionSite, x: Tensor) -> Tensor:
    """What leaves a layer, as a tap that carries other numbers in wants it."""
    carrying = carrying_of(tap)
    return x if carrying is None else carrying.stream(side, site.layer, x)
