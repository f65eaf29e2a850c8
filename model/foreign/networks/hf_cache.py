"""Cache of Hugging Face: what a decoder keeps between steps (`model.decoding.decodable.DecoderState`).

Shapes: b batch, S source length, d width of the memory, n target positions.
"""

from __future__ import annotations

import copy
from typing import Any, Self

import torch
from torch import Tensor


class Memory:
    """What the encoder made of the source, for as many sequences as look at it.

    Attributes:
        states: [b, S, d]; one row is shared by all sequences (beams of one sentence).
        mask: bool [b, S], True where there is a token.
    """

    def __init__(self, states: Tensor, mask: Tensor | None) -> None:
        self.states = states
        self.mask = torch.ones(states.shape[:2], dtype=torch.bool, device=states.device)
        if mask is not None:
            self.mask = mask.expand(states.shape[:2])

    @property
    def shared(self) -> bool:
        """Whether all sequences look at the same row."""
        return self.states.shape[0] == 1

    def rows(self, batch: int) -> tuple[Tensor, Tensor]:
        """States and mask of `batch` sequences."""
        if not self.shared:
            return self.states, self.mask
        return self.states.expand(batch, -1, -1), self.mask.expand(batch, -1)

    def select(self, rows: Tensor) -> Memory:
        """Of the sequences `rows` in that order."""
        return self if self.shared else Memory(self.states[rows], self.mask[rows])


class CachedState:
    """Keys and values in the model's own cache, made of layers that keep every position.

    Attributes:
        cache: a `DynamicCache`, or an `EncoderDecoderCache` of two.
        memory: None of a model without an encoder.
        batch: number of sequences.
        length: target positions held.
        prompt_mask: bool [1, P], False for tokens of a prompt that nobody may look at; None: everybody may.
    """

    def __init__(
        self, cache: Any, memory: Memory | None, batch: int, prompt_mask: Tensor | None = None
    ) -> None:
        self.cache = cache
        self.memory = memory
        self.batch = batch
        self.prompt_mask = prompt_mask
        self.length = 0

    def _own(self) -> list[Any]:
        layers: list[Any] = (self.cache if self.memory is None else self.cache.self_attention_cache).layers
        return [layer for layer in layers if layer.is_initialized]

    def _cross(self) -> list[Any]:
        layers: list[Any] = [] if self.memory is None else self.cache.cross_attention_cache.layers
        return [layer for layer in layers if layer.is_initialized]

    def truncate(self, length: int) -> None:
        """Forget every position from `length` on."""
        self.length = min(self.length, length)
        for layer in self._own():
            layer.keys = layer.keys[:, :, : self.length]
            layer.values = layer.values[:, :, : self.length]

    def select(self, rows: Tensor) -> None:
        """Keep the sequences `rows` (int64 [new batch]) in that order; a row may repeat."""
        for layer in self._own():
            layer.keys, layer.values = layer.keys[rows], layer.values[rows]
        before, self.batch = self.batch, len(rows)
        if self.memory is None:
            return
        # Sequences that share their memory have the same keys and values of it, whichever they are.
        if not self.memory.shared or self.batch != before:
            for layer in self._cross():
                layer.keys, layer.values = layer.keys[rows], layer.values[rows]
        self.memory = self.memory.select(rows)

    def fork(self, length: int | None = None) -> Self:
        """An independent copy of the first `length` positions, by default all; the memory alone is shared."""
        other = copy.copy(self)
        other.cache = _copied(self.cache)
        other.truncate(self.length if length is None else length)
        for layer in other._own():
            layer.keys, layer.values = layer.keys.clone(), layer.values.clone()
        return other


class RecomputedState:
    """The tokens alone, of models whose cache keeps less than every position: each step reads all again.

    Attributes:
        ids: int64 [b, n].
        memory: None of a model without an encoder.
        batch: number of sequences.
    """

    def __init__(self, ids: Tensor, memory: Memory | None) -> None:
        self.ids = ids
        self.memory = memory

    @property
    def batch(self) -> int:
        """Number of sequences."""
        return self.ids.shape[0]

    @property
    def length(self) -> int:
        """Target positions held."""
        return self.ids.shape[1]

    def truncate(self, length: int) -> None:
        """Forget every position from `length` on."""
        self.ids = self.ids[:, :length]

    def select(self, rows: Tensor) -> None:
        """Keep the sequences `rows` (int64 [new batch]) in that order; a row may repeat."""
        self.ids = self.ids[rows]
        self.memory = None if self.memory is None else self.memory.select(rows)

    def fork(self, length: int | None = None) -> Self:
        """An independent copy of the first `length` positions, by default all."""
        other = copy.copy(self)
        other.truncate(self.length if length is None else length)
        return other


def new_cache(*, crosses: bool) -> Any:
    """An empty cache that keeps every position, even where the model's mask hides those far behind."""
    from transformers import DynamicCache, EncoderDecoderCache

    return EncoderDecoderCache(DynamicCache(), DynamicCache()) if crosses else DynamicCache()


def _copied(cache: Any) -> Any:
    """The same cache in other objects with the same tensors, which no layer writes to."""
    other = copy.copy(cache)
    if hasattr(cache, "cross_attention_cache"):
        other.self_attention_cache = _copied(cache.self_attention_cache)
        other.cross_attention_cache = _copied(cache.cross_attention_cache)
        other.is_updated = dict(cache.is_updated)
    else:
        other.layers = [copy.copy(layer) for layer in cache.layers]
    return other
