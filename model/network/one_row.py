"""One row: a decoder's step for one token of one sentence, with as few small operations as can be.

A step reads all weights, and nothing else stays in the caches: each small operation between two products is
fetched from memory anew, code and all, and takes several times what it takes when nothing else runs. So the
commonest step is written out: one sentence, one token, plain heads, LayerNorm; in C where its kernels
multiply quickest, see `model.network.compiled_row`. The numbers are those of `DecoderLayer`, to rounding;
everything else goes that way.

Shapes: h heads, k keys, e width of a head, d d_model.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from model.network.attention import MultiHeadAttention, Tap
from model.network.cache import DecoderCache, LayerCache
from model.network.carrying import carrying_of
from model.network.compiled_row import CompiledRow, compiled_row
from model.network.layers import DecoderLayer
from model.network.linear import linear
from model.network.norms import LayerNorm, Norm


class RowLayer:
    """A decoder layer for one sentence.

    Args:
        memory: keys and values of the encoder's output for it, [1, h, S, e] each.
    """

    def __init__(self, layer: DecoderLayer, memory: tuple[Tensor, Tensor]) -> None:
        self._own, self._cross = _Heads(layer.self_attn), _Heads(layer.multihead_attn)
        self._norms = _Norm(layer.norm1), _Norm(layer.norm2), _Norm(layer.norm3)
        self._pre_norm = layer.pre_norm
        self._activation = layer.activation
        self._first = layer.linear1.weight, layer.linear1.bias
        self._second = layer.linear2.weight, layer.linear2.bias
        self._turned_keys, self._values = memory[0][0].transpose(1, 2), memory[1][0]

    @property
    def stale(self) -> bool:
        """Whether numbers that it holds a part of lie somewhere else by now."""
        return self._cross.stale

    def step(self, x: Tensor, cache: LayerCache, tap: Tap | None) -> Tensor:
        """x [1, d] to the same shape; the cache grows by one."""
        own, cross, pre_norm = self._own, self._cross, self._pre_norm
        first, second, third = self._norms
        q, k, v = own.project(first(x) if pre_norm else x)
        keys, values = cache.append_row(k, v)
        x = own.mixed(q, keys.transpose(1, 2), values, tap).add_(x)
        x = x if pre_norm else first(x)
        q = cross.project_query(second(x) if pre_norm else x)
        x = cross.mixed(q, self._turned_keys, self._values, tap).add_(x)
        x = x if pre_norm else second(x)
        inner = self._activation(linear(third(x) if pre_norm else x, *self._first))
        x = linear(inner, *self._second).add_(x)
        return x if pre_norm else third(x)


class _Heads:
    """An attention, with what a step needs of it at hand: a module looks for each of its parts anew."""

    def __init__(self, attention: MultiHeadAttention) -> None:
        self._attention = attention
        self._weight, self._bias = attention.in_proj_weight, attention.in_proj_bias
        self._query_bias = None if self._bias is None else self._bias[attention.rows(0, 1)]
        self._place = None if self._bias is None else self._bias.data_ptr()
        self._out, self._out_bias = attention.out_proj.weight, attention.out_proj.bias
        self._shape = 3, attention.n_heads, 1, attention.width
        # As a tensor: a number would be made one each time.
        self._scale = torch.tensor(1.0 / math.sqrt(attention.width), dtype=self._out.dtype)
        self._site = attention.site

    @property
    def stale(self) -> bool:
        return self._bias is not None and self._bias.data_ptr() != self._place

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        """Queries, keys and values of x [1, d], [h, 1, e] each."""
        return linear(x, self._weight, self._bias).view(self._shape).unbind()

    def project_query(self, x: Tensor) -> Tensor:
        """Queries [h, 1, e] of x [1, d]."""
        return linear(x, self._attention.query_weight(), self._query_bias).view(self._shape[1:])

    def mixed(self, q: Tensor, turned_keys: Tensor, values: Tensor, tap: Tap | None) -> Tensor:
        """What attention adds [1, d], of q [h, 1, e], keys [h, e, k] and values [h, k, e]."""
        pattern = torch.bmm(q * self._scale, turned_keys).softmax(-1)
        if tap is not None:
            replaced = tap(self._site, pattern[None])
            if replaced is not None:
                pattern = replaced[0]
        return linear(torch.bmm(pattern, values).view(1, -1), self._out, self._out_bias)


class _Norm:
    """A LayerNorm with its parts at hand."""

    def __init__(self, norm: Norm) -> None:
        assert isinstance(norm, LayerNorm)
        self._settings = norm.normalized_shape, norm.weight, norm.bias, norm.eps

    def __call__(self, x: Tensor) -> Tensor:
        return torch.layer_norm(x, *self._settings)


def row_step(layers: nn.ModuleList, x: Tensor, cache: DecoderCache, tap: Tap | None) -> Tensor | None:
    """What `DecoderLayer`s make of the embedding [1, d] of the next token of one sentence; the cache grows.

    Returns:
        [1, d]; None, with nothing done, where they have to do it themselves.
    """
    # A tap that carries other numbers in is asked in more places.
    if torch.is_grad_enabled() or torch.is_autocast_enabled("cpu") or carrying_of(tap) is not None:
        return None
    if cache.row_layers is None or any(layer.stale for layer in cache.row_layers):
        cache.row_layers = _row_layers(layers, cache)
    if not cache.row_layers or layers.training:
        return None
    x = x.clone()  # the layers may write into it
    for layer, own in zip(cache.row_layers, cache.layers):
        x = layer.step(x, own, tap)
    return x


def _row_layers(layers: nn.ModuleList, cache: DecoderCache) -> tuple[RowLayer | CompiledRow, ...]:
    """The layers for the sentence of a cache; none if there are several, or a layer is of another kind."""
    if cache.batch > 1 or cache.memory_mask is not None:
        return ()
    found: list[RowLayer | CompiledRow] = []
    for layer, memory in zip(layers, cache.memory):
        assert isinstance(layer, DecoderLayer)
        own, norms = layer.self_attn, (layer.norm1, layer.norm2, layer.norm3)
        plain = own.relative is None and not own.shares and all(isinstance(norm, LayerNorm) for norm in norms)
        if not plain or memory[0].device.type != "cpu" or own.in_proj_weight.dtype != torch.float32:
            return ()
        found.append(compiled_row(layer, memory) or RowLayer(layer, memory))
    return tuple(found)
