"""Multi-head attention with fused projections and a tap on its pattern (paper, section 3.2).

Shapes: b batch, h heads, q queries, k keys, d d_model, e = d / h; g heads of keys and values, which are h, or
fewer where several heads of queries share one of them (see `model.network.sharing`).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.network.carrying import carrying_of
from model.network.linear import linear
from model.network.masks import AttentionMask
from model.network.products.choices import Choice
from model.network.products.many import many_way
from model.network.products.prepared import prepare, prepare_many, state_of
from model.network.products.room import Room
from model.network.products.ways import PLAIN
from model.network.relative_positions import RelativePositions, Spots
from model.network.sharing import shared_product, spread
from model.network.site import AttentionSite as AttentionSite

# From this many scores per head on, the fused kernel beats materialising the pattern, forward and backward
# together (measured on one core of a CPU with AVX512-BF16). In float32 both take about as long at 64 x 64. In
# bfloat16 the fused backward takes three times as long at 128 x 128 and wins only between 512 and 1024.
FUSED_FROM = 96 * 96
FUSED_FROM_NARROW = 768 * 768


# Called with the pattern [b, h, q, k] after softmax; what it returns is used instead (None: unchanged). One
# that replaces other numbers too has an attribute `carrying`, see `model.network.carrying`.
Tap = Callable[[AttentionSite, Tensor], Tensor | None]


class MultiHeadAttention(nn.Module):
    """softmax(Q K^T / sqrt(e)) V in h heads, then a projection.

    Parameter names, shapes and orientation are those of `torch.nn.MultiheadAttention`; where heads share keys
    and values, the fused matrix has fewer rows: h of queries, g of keys, g of values, e each.
    """

    in_proj_bias: nn.Parameter | None
    # The queries' part of the matrix, once it is prepared for decoding, and the state of the whole then.
    _query_part: tuple[Tensor, tuple[int, int]] | None = None
    # The same of those of keys and values, once they are prepared for many rows.
    _memory_part: tuple[Tensor, tuple[int, int]] | None = None

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        *,
        bias: bool,
        site: AttentionSite,
        kv_heads: int = 0,
        relative: RelativePositions | None = None,
    ) -> None:
        super().__init__()
        self.relative = relative
        self.n_heads = n_heads
        self.kv_heads = kv_heads or n_heads
        self.width = d_model // n_heads
        self.shares = self.kv_heads != n_heads
        self.site = site
        self._counts = (n_heads, self.kv_heads, self.kv_heads)
        rows = sum(self._counts) * self.width
        self.in_proj_weight = nn.Parameter(torch.empty(rows, d_model))
        self.in_proj_bias = nn.Parameter(torch.zeros(rows)) if bias else None
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def rows(self, first: int, last: int) -> slice:
        """The rows of the fused matrix that make the parts first..last: 0 queries, 1 keys, 2 values."""
        before, counts = sum(self._counts[:first]), sum(self._counts[first:last])
        return slice(before * self.width, (before + counts) * self.width)

    def _project(self, x: Tensor, first: int, last: int, part: Tensor | None = None) -> tuple[Tensor, ...]:
        """Project x [b, n, d] by the parts first..last of the fused matrix into [b, h or g, n, e] each.

        Args:
            part: these rows of the matrix, where they are kept apart.
        """
        weight: Tensor = self.in_proj_weight
        bias: Tensor | None = self.in_proj_bias
        if (first, last) != (0, 3):
            rows = self.rows(first, last)
            weight = weight[rows] if part is None else part
            bias = None if bias is None else bias[rows]
        counts = self._counts[first:last]
        return _heads(linear(x, weight, bias), self.width).split_with_sizes(counts, 1)

    def project_self(self, x: Tensor, spots: Spots | None = None) -> tuple[Tensor, Tensor, Tensor]:
        """Queries [b, h, n, e], keys and values [b, g, n, e] of x [b, n, d], in one product.

        Args:
            spots: where the tokens stand, for positions that act in attention.
        """
        q, k, v = self._project(x, 0, 3)
        if self.relative is not None:
            assert spots is not None
            q, k = self.relative.turned(q, spots), self.relative.turned(k, spots)
        return q, k, v

    def project_query(self, x: Tensor) -> Tensor:
        """Queries [b, h, n, e]."""
        bias = None if self.in_proj_bias is None else self.in_proj_bias[self.rows(0, 1)]
        return _heads(linear(x, self.query_weight(), bias), self.width)

    def query_weight(self) -> Tensor:
        """[d_model, d_model], the queries' part of the fused matrix; prepared, unless gradients flow."""
        kept, weight = self._query_part, self.in_proj_weight
        if kept is None or torch.is_grad_enabled() or kept[1] != state_of(weight):
            return weight[self.rows(0, 1)]
        return kept[0]

    def query_matrix(self) -> Tensor:
        """[d_model, d_model], the queries' part of the fused matrix; a view."""
        return self.in_proj_weight.detach()[self.rows(0, 1)]

    def prepare_queries(self, choice: Choice, room: Room) -> None:
        """Make `project_query` quick for few rows; until the matrix is written to.

        Args:
            room: where its part of the matrix is put.
        """
        part = self.query_matrix()
        if part.is_inference():  # it does not tell when it was written to
            self._query_part = None
        else:
            self._query_part = prepare(part, choice, room), state_of(self.in_proj_weight)

    def prepare_many(self) -> None:
        """Make `project_query` and `project_memory` quick for many rows; until the matrix is written to."""
        if self._query_part is not None:
            prepare_many(self._query_part[0], many_way(self._query_part[0]))
        way = many_way(self.in_proj_weight[self.rows(1, 3)])
        if way is PLAIN or self.in_proj_weight.is_inference():
            return
        state = state_of(self.in_proj_weight)
        if self._memory_part is None or self._memory_part[1] != state:
            self._memory_part = self.in_proj_weight.detach()[self.rows(1, 3)].contiguous(), state
        prepare_many(self._memory_part[0], way)

    def project_memory(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values of the encoder's output, each [b, g, k, e]."""
        kept = self._memory_part
        if kept is None or torch.is_grad_enabled() or kept[1] != state_of(self.in_proj_weight):
            k, v = self._project(memory, 1, 3)
        else:
            k, v = self._project(memory, 1, 3, kept[0])
        return k, v

    def attend(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        mask: AttentionMask | None,
        tap: Tap | None = None,
        spots: Spots | None = None,
    ) -> Tensor:
        """[b, q, d] from q [b, h, q, e] and k, v [b, g, k, e]; rows that see no key come out as zeros.

        Args:
            spots: as in `project_self`, of all keys.
        """
        carrying = carrying_of(tap)
        if carrying is not None:
            q, k, v = carrying.inputs(self.site, q, k, v)
        b, h, n, e = q.shape
        relative = self.relative
        if relative is not None:
            assert spots is not None
            mask = _biased(mask, relative.added(q / math.sqrt(e), spots))
        fused_from = FUSED_FROM if q.element_size() >= 4 else FUSED_FROM_NARROW
        fuses = tap is None and (relative is None or relative.fuses)
        if fuses and n * k.shape[2] >= fused_from and (mask is None or mask.blind is None):
            if self.shares:
                k, v = spread(k, h), spread(v, h)
            bias = None if mask is None else mask.bias.to(q.dtype)
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        else:
            pattern = self._pattern(q, k, mask, tap)
            mixed = self._product(pattern, v)
            if relative is not None:
                assert spots is not None
                more = relative.mixed(pattern, spots)
                mixed = mixed if more is None else mixed + more
        if carrying is not None:
            mixed = carrying.output(self.site, mixed)
        joined = mixed if n == 1 else mixed.transpose(1, 2)
        return linear(joined.reshape(b, n, h * e), self.out_proj.weight, self.out_proj.bias)

    def _product(self, own: Tensor, shared: Tensor) -> Tensor:
        """[b, h, n, k] of own [b, h, n, m] and shared [b or 1, g, m, k], head by head."""
        if self.shares:
            return shared_product(own, shared)
        if own.shape[0] == shared.shape[0] == 1:  # as one batch of heads: `@` would look for how to spread it
            return torch.bmm(own[0], shared[0])[None]
        return own @ shared

    def _pattern(self, q: Tensor, k: Tensor, mask: AttentionMask | None, tap: Tap | None) -> Tensor:
        scores = self._product(q * (1.0 / math.sqrt(q.shape[-1])), k.transpose(-1, -2))
        if mask is not None:
            scores = scores + mask.bias
        pattern = scores.softmax(-1)
        if mask is not None and mask.blind is not None:
            pattern = pattern.masked_fill(mask.blind, 0.0)
        if tap is not None:
            replaced = tap(self.site, pattern)
            pattern = pattern if replaced is None else replaced
        return pattern


def _heads(x: Tensor, width: int) -> Tensor:
    """[b, heads, n, e] of x [b, n, heads * e]; a view. A single row needs no turning."""
    b, n, d = x.shape
    if n == 1:
        return x.view(b, d // width, 1, width)
    return x.view(b, n, d // width, width).transpose(1, 2)


def _biased(mask: AttentionMask | None, bias: Tensor | None) -> AttentionMask | None:
    """A mask that adds a bias [b, h, q, k] to the scores besides."""
    if bias is None:
        return mask
    return AttentionMask(bias, None) if mask is None else AttentionMask(mask.bias + bias, mask.blind)
