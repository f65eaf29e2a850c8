"""Compiled row: a decoder layer for one token of one sentence, in C (`model/network/compiled/row.c`).

For layers whose matrices are all multiplied by the streamed kernel (`model.network.products.streamed`);
others take the longer way of `model.network.one_row`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

import torch
import torch.nn.functional as F
from torch import Tensor

from model.network.attention import AttentionSite, Tap
from model.network.cache import LayerCache
from model.network.compiled.library import library, parallel
from model.network.layers import DecoderLayer
from model.network.norms import LayerNorm, Norm
from model.network.products.prepared import prepared_of
from model.network.products.ways import STREAMED

_POINTER, _SIZE = ctypes.c_void_p, ctypes.c_size_t
_ACTIVATIONS: tuple[Callable[..., Tensor], ...] = (F.relu, F.gelu, F.silu)

_MATRICES = "own_in", "own_out", "query", "cross_out", "first", "second"


class _Matrix(ctypes.Structure):
    _fields_ = [
        ("weight", _POINTER),
        ("bias", _POINTER),
        ("outputs", _SIZE),
        ("inputs", _SIZE),
        ("threads", ctypes.c_uint),
        ("past", ctypes.c_int),
    ]


class _Norm(ctypes.Structure):
    _fields_ = [("weight", _POINTER), ("bias", _POINTER), ("epsilon", ctypes.c_float)]


class _Layer(ctypes.Structure):
    _fields_ = [
        *((name, _Matrix) for name in _MATRICES),
        ("norms", 3 * _Norm),
        ("heads", _SIZE),
        ("width", _SIZE),
        ("pre_norm", ctypes.c_int),
        ("activation", ctypes.c_int),
        ("parallel", _POINTER),
    ]


class _Kept(ctypes.Structure):
    _fields_ = [("at", _POINTER), ("head", _SIZE), ("position", _SIZE), ("count", _SIZE)]


class CompiledRow:
    """A decoder layer for one sentence; `compiled_row` makes one where that can be."""

    def __init__(
        self,
        layer: DecoderLayer,
        memory: tuple[Tensor, Tensor],
        matrices: list[tuple[Tensor, Tensor | None]],
        every: list[bool],
        past: list[bool],
    ) -> None:
        own, cross = layer.self_attn, layer.multihead_attn
        self._cross = cross
        self._sites = own.site, cross.site
        self._query = matrices[2][0]
        self._parameters = [*layer.parameters(), self._query]
        self._places = self._found()
        norms = [cast(LayerNorm, norm) for norm in (layer.norm1, layer.norm2, layer.norm3)]
        # What the addresses stand for must not go: parameters may be given other memory meanwhile.
        self._held = [*(parameter.detach() for parameter in self._parameters), *memory]
        self._heads, d, inner = own.n_heads, own.in_proj_weight.shape[1], layer.linear1.weight.shape[0]
        self._room = torch.empty(max(4 * d, 2 * d + inner))
        self._every = every
        self._threads = 1
        self._layer = _Layer(
            *(_matrix(weight, bias, one) for (weight, bias), one in zip(matrices, past)),
            (3 * _Norm)(*(_Norm(_place(norm.weight), _place(norm.bias), norm.eps) for norm in norms)),
            own.n_heads,
            own.width,
            layer.pre_norm,
            _ACTIVATIONS.index(layer.activation),
            parallel(),
        )
        self._memory = tuple(_kept(part[0]) for part in memory)
        self._cache: tuple[Tensor | None, _Kept, _Kept] = None, _Kept(), _Kept()

    @property
    def stale(self) -> bool:
        """Whether its numbers lie somewhere else by now."""
        return self._cross.query_weight() is not self._query or self._found() != self._places

    def step(self, x: Tensor, cache: LayerCache, tap: Tap | None) -> Tensor:
        """x [1, d], written to, to the same shape; the cache grows by one."""
        self._take_threads(torch.get_num_threads())
        look, mix, feed = _steps()
        keys, values = self._places_in(cache)
        from_memory, what_is_there = self._memory
        layer, at, room = ctypes.byref(self._layer), x.data_ptr(), self._room.data_ptr()
        own = torch.empty(self._heads, 1, cache.length)
        look(layer, at, ctypes.byref(keys), ctypes.byref(values), own.data_ptr(), room)
        own = _told(tap, self._sites[0], own)
        cross = torch.empty(self._heads, 1, from_memory.count)
        there = ctypes.byref(from_memory)
        mix(layer, at, own.data_ptr(), ctypes.byref(values), there, cross.data_ptr(), room)
        cross = _told(tap, self._sites[1], cross)
        feed(layer, at, cross.data_ptr(), ctypes.byref(what_is_there), room)
        return x

    def _found(self) -> list[int]:
        return [parameter.data_ptr() for parameter in self._parameters]

    def _take_threads(self, threads: int) -> None:
        if threads != self._threads:
            self._threads = threads
            for name, every in zip(_MATRICES, self._every):
                getattr(self._layer, name).threads = threads if every else 1

    def _places_in(self, cache: LayerCache) -> tuple[_Kept, _Kept]:
        """Where keys and values of all positions lie, one more than before."""
        keys, values = cache.next_row()
        if self._cache[0] is not keys:
            self._cache = keys, _kept(keys), _kept(values)
        _, *kept = self._cache
        for one in kept:
            one.count = cache.length
        return kept[0], kept[1]


def compiled_row(layer: DecoderLayer, memory: tuple[Tensor, Tensor]) -> CompiledRow | None:
    """The layer for a sentence; None where it has to go the longer way.

    Args:
        layer: with plain heads and LayerNorm, float32, on the processor.
        memory: keys and values of the encoder's output for it, [1, h, S, e] each.
    """
    if library() is None or layer.activation not in _ACTIVATIONS:
        return None
    own, cross = layer.self_attn, layer.multihead_attn
    queries = None if cross.in_proj_bias is None else cross.in_proj_bias[cross.rows(0, 1)]
    matrices: list[tuple[Tensor, Tensor | None]] = [
        (own.in_proj_weight, own.in_proj_bias),
        (own.out_proj.weight, own.out_proj.bias),
        (cross.query_weight(), queries),
        (cross.out_proj.weight, cross.out_proj.bias),
        (layer.linear1.weight, layer.linear1.bias),
        (layer.linear2.weight, layer.linear2.bias),
    ]
    every, past = [], []
    for weight, bias in matrices:
        prepared = prepared_of(weight)
        if prepared is None or prepared.one not in STREAMED or not weight.is_contiguous():
            return None
        if bias is not None and not _is_plain(bias):
            return None
        every.append(STREAMED[prepared.one])
        past.append(prepared.past)
    norms: tuple[Norm, ...] = layer.norm1, layer.norm2, layer.norm3
    if not all(_is_plain(values) for norm in norms for values in (norm.weight, norm.bias)):
        return None
    if any(part.dtype != torch.float32 or part.stride(-1) != 1 for part in memory):
        return None
    return CompiledRow(layer, memory, matrices, every, past)


def _is_plain(values: Tensor) -> bool:
    return values.dtype == torch.float32 and values.is_contiguous()


def _told(tap: Tap | None, site: AttentionSite, pattern: Tensor) -> Tensor:
    """The pattern [h, 1, k], or what a tap puts in its place."""
    replaced = None if tap is None else tap(site, pattern[None])
    return pattern if replaced is None else replaced[0].float().contiguous()


def _place(values: Tensor | None) -> int | None:
    return None if values is None else values.data_ptr()


def _matrix(weight: Tensor, bias: Tensor | None, past: bool) -> _Matrix:
    return _Matrix(weight.data_ptr(), _place(bias), weight.shape[0], weight.shape[1], 1, past)


def _kept(part: Tensor) -> _Kept:
    """Of keys or values [h, k, e]."""
    return _Kept(part.data_ptr(), part.stride(0), part.stride(1), part.shape[1])


@lru_cache(maxsize=1)
def _steps() -> tuple[Callable[..., None], ...]:
    """The three parts: self-attention's weights; cross-attention's; what is left."""
    found: Any = library()
    parts = found.headscope_row_self, found.headscope_row_cross, found.headscope_row_feed
    for part, arguments in zip(parts, (6, 7, 5)):
        part.argtypes, part.restype = arguments * (_POINTER,), None
    return parts
