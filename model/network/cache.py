"""Cache of keys and values of positions already decoded, in memory allocated once.

Shapes: b batch, h heads of keys and values, c capacity (positions), e head width.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from model.network.masks import AttentionMask


class LayerCache:
    """One decoder layer's self-attention keys and values, [b, h, c, e] each, the first `length` in use."""

    def __init__(self, keys: Tensor, values: Tensor, length: int = 0) -> None:
        self.keys = keys
        self.values = values
        self.length = length
        self._first: tuple[Tensor, Tensor, Tensor] | None = None

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Store k, v [b, h, n, e] behind the present ones; return all so far as [b, h, length, e] views."""
        count = k.shape[2]
        end = self.length + count
        if end > self.keys.shape[2]:
            self._grow(max(end, 2 * self.keys.shape[2]))
        self.keys.narrow(2, self.length, count).copy_(k)
        self.values.narrow(2, self.length, count).copy_(v)
        self.length = end
        return self.keys.narrow(2, 0, end), self.values.narrow(2, 0, end)

    def append_row(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """The same of one position of the only sequence: k, v [h, 1, e]; all so far as [h, length, e]."""
        keys, values = self.next_row()
        end = self.length
        keys.narrow(1, end - 1, 1).copy_(k)
        values.narrow(1, end - 1, 1).copy_(v)
        return keys.narrow(1, 0, end), values.narrow(1, 0, end)

    def next_row(self) -> tuple[Tensor, Tensor]:
        """Keys and values [h, c, e] of the only sequence, one position longer, yet to be written."""
        if self.length + 1 > self.keys.shape[2]:
            self._grow(2 * self.keys.shape[2])
        self.length += 1
        if self._first is None or self._first[0] is not self.keys:
            self._first = self.keys, self.keys[0], self.values[0]
        return self._first[1], self._first[2]

    def copy(self, length: int) -> LayerCache:
        """Another with the same room and the first `length` positions."""
        keys, values = torch.empty_like(self.keys), torch.empty_like(self.values)
        keys[:, :, :length] = self.keys[:, :, :length]
        values[:, :, :length] = self.values[:, :, :length]
        return LayerCache(keys, values, length)

    def select(self, rows: list[int]) -> None:
        """Keep the sequences `rows` in that order; one may repeat."""
        for name in ("keys", "values"):
            setattr(self, name, self._selected(getattr(self, name), rows))

    def _selected(self, old: Tensor, rows: list[int]) -> Tensor:
        used = self.length
        if len(rows) > len(old):
            new = old.new_empty(len(rows), *old.shape[1:])
            new[:, :, :used] = old[rows, :, :used]
            return new
        return _in_place(old, rows, used)

    def _grow(self, capacity: int) -> None:
        b, h, _, e = self.keys.shape
        for name in ("keys", "values"):
            old = getattr(self, name)
            new = old.new_empty(b, h, capacity, e)
            new[:, :, : self.length] = old[:, :, : self.length]
            setattr(self, name, new)


class DecoderCache:
    """Everything a decoder keeps between steps; made by `Transformer.start_cache`.

    Attributes:
        layers: one `LayerCache` a decoder layer.
        memory: each layer's keys and values of the encoder's output, [b, h, S, e].
        memory_mask: which source positions may be attended to, or None for all.
        key_mask: bool [b, length] of usable target positions, or None for all.
        places: position ids int64 [b or 1, length] of what is held, for positions that act in attention;
            None where nothing asks for them.
        source: the memory itself, [b, S, ·], where words are copied from it; else None.
        row_layers: what `model.network.one_row` has made for this memory; None before it was asked.
    """

    def __init__(
        self,
        layers: list[LayerCache],
        memory: list[tuple[Tensor, Tensor]],
        memory_mask: AttentionMask | None,
        places: Tensor | None = None,
        source: Tensor | None = None,
    ) -> None:
        self.layers = layers
        self.memory = memory
        self.memory_mask = memory_mask
        self.places = places
        self.source = source
        self.row_layers: tuple[Any, ...] | None = None
        self._shares_memory = False

    @property
    def length(self) -> int:
        """Number of target positions held."""
        return self.layers[0].length

    @property
    def batch(self) -> int:
        """Number of sequences held."""
        return int(self.layers[0].keys.shape[0])

    def truncate(self, length: int) -> None:
        """Forget every position from `length` on, without copying."""
        for layer in self.layers:
            layer.length = min(layer.length, length)
        if self.places is not None:
            self.places = self.places[:, :length]

    def select(self, rows: Tensor) -> None:
        """Keep the sequences `rows` (int64 [new batch]) in that order; a row may repeat (beam search)."""
        order = rows.tolist()
        for layer in self.layers:
            layer.select(order)
        if self.places is not None and len(self.places) > 1:
            self.places = self.places[rows]
        # Beams of one sentence share its memory: copying it at every step would cost more than the step.
        if self.memory[0][0].shape[0] == 1:
            return
        self.memory = [(self._remembered(k, order), self._remembered(v, order)) for k, v in self.memory]
        self.source = None if self.source is None else self.source[rows]
        if self.memory_mask is not None and self.memory_mask.bias.shape[0] > 1:
            blind = self.memory_mask.blind
            self.memory_mask = AttentionMask(
                self.memory_mask.bias[rows], None if blind is None else blind[rows]
            )

    def _remembered(self, old: Tensor, rows: list[int]) -> Tensor:
        """Rows of a layer's keys or values of the memory."""
        if self._shares_memory or old.requires_grad or len(rows) > len(old):
            return old[rows]
        return _in_place(old, rows, old.shape[2])

    def fork(self, length: int | None = None) -> DecoderCache:
        """An independent copy of the first `length` positions, by default all.

        It shares only the encoder's memory, which from then on nobody writes to.
        """
        length = self.length if length is None else length
        layers = [layer.copy(length) for layer in self.layers]
        places = None if self.places is None else self.places[:, :length]
        other = DecoderCache(layers, list(self.memory), self.memory_mask, places, self.source)
        other._shares_memory = self._shares_memory = True
        return other


def _in_place(old: Tensor, rows: list[int], used: int) -> Tensor:
    """The sequences `rows` of keys or values, no more than there are, the first `used` positions of each.

    Most go on in their own place, and fresh memory costs more than copying into what is there.
    """
    moved = [place for place, row in enumerate(rows) if place != row]
    taken = old[[rows[place] for place in moved], :, :used]
    for place, values in zip(moved, taken):
        old[place, :, :used] = values
    return old[: len(rows)]


def empty_layer(batch: int, heads: int, capacity: int, width: int, like: Tensor) -> LayerCache:
    """A `LayerCache` of zero length with room for `capacity` positions, on the device of `like`."""
    shape = (batch, heads, capacity, width)
    return LayerCache(
        torch.empty(shape, dtype=like.dtype, device=like.device),
        torch.empty(shape, dtype=like.dtype, device=like.device),
    )
