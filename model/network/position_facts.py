"""Position facts: what our own Transformer knows of positions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from torch import nn

from model.config import Positions
from model.network.embeddings import sinusoidal_table
from model.network.layers import DecoderLayer, EncoderLayer
from model.network.relative_positions import Offsets
from model.network.transformer import Transformer
from model.positions.position_facts import (
    BiasSort,
    NoPositions,
    PositionFacts,
    RelativeBias,
    RotaryPositions,
    Stack,
    TablePositions,
    stored_table,
)
from model.positions.positions import Doubles, alibi_slopes, frequencies
from model.read_only import read_only
from model.trace.trace import Floats

Integers = npt.NDArray[np.int64]

_STACKS: tuple[Stack, ...] = ("encoder", "decoder")
_FAR = 64
"""Distances of which is told what ALiBi takes; it goes on so without end."""


def facts_of(transformer: Transformer) -> tuple[PositionFacts, ...]:
    """The table that both stacks add, what acts in their attention, or that there is nothing."""
    return _FACTS[transformer.architecture.positions](transformer)


def _none(transformer: Transformer) -> tuple[PositionFacts, ...]:
    return (NoPositions(known=True),)


def _table(transformer: Transformer) -> Floats:
    rows = transformer.positions.rows()
    assert rows is not None
    return read_only(rows.numpy(force=True).copy())


def _learned(transformer: Transformer) -> tuple[PositionFacts, ...]:
    return (stored_table(_table(transformer)),)


def _sinusoidal(transformer: Transformer) -> tuple[PositionFacts, ...]:
    table, a = _table(transformer), transformer.architecture
    # Marian's files may hold them, rounded.
    computed = sinusoidal_table(*table.shape, base=a.position_base, layout=a.position_layout)
    stored = not np.array_equal(table, computed.numpy())
    return (TablePositions(table, False, a.position_base, a.position_layout, stored=stored),)


def _rotary(transformer: Transformer) -> tuple[PositionFacts, ...]:
    a = transformer.architecture
    width = a.d_model // a.n_heads
    fact = RotaryPositions(
        inverse_frequencies=read_only(frequencies(width, a.position_base)),
        head_width=width,
        base=a.position_base,
        layout=a.position_layout,
        max_positions=a.max_positions,
        stack="both",
    )
    return (fact,)


def _alibi(transformer: Transformer) -> tuple[PositionFacts, ...]:
    taken = -np.arange(_FAR + 1)[:, None] * alibi_slopes(transformer.architecture.n_heads)
    offsets = np.arange(-_FAR, _FAR + 1)
    return tuple(_by_offset(stack, taken, np.abs(offsets), offsets, "slopes") for stack in _STACKS)


def _relative(transformer: Transformer) -> tuple[PositionFacts, ...]:
    span = transformer.architecture.relative_span
    offsets = np.arange(-span, span + 1)
    layers = {"encoder": transformer.encoder.layers, "decoder": transformer.decoder.layers}
    return tuple(
        _by_offset(stack, _lengths(layers[stack]), offsets + span, offsets, "lengths") for stack in _STACKS
    )


def _lengths(layers: nn.ModuleList) -> Doubles:
    """How long each layer's key vectors are, [2 span + 1, L]."""
    found = []
    for layer in layers:
        assert isinstance(layer, EncoderLayer | DecoderLayer)
        assert isinstance(layer.self_attn.relative, Offsets)
        found.append(layer.self_attn.relative.keys.double().norm(dim=-1).numpy(force=True))
    return np.stack(found, axis=1)


def _by_offset(
    stack: Stack, weights: Doubles, buckets: Integers, offsets: Integers, sort: BiasSort
) -> RelativeBias:
    """A stack's numbers; a decoder has none of later keys, which it cannot see."""
    seen = slice(None) if stack == "encoder" else slice(0, len(offsets) // 2 + 1)
    return RelativeBias(
        read_only(weights.astype(np.float32)),
        read_only(buckets[seen]),
        read_only(offsets[seen]),
        max_distance=int(offsets[-1]),
        bidirectional=stack == "encoder",
        stack=stack,
        sort=sort,
    )


_FACTS: dict[Positions, Callable[[Transformer], tuple[PositionFacts, ...]]] = {
    "sinusoidal": _sinusoidal,
    "learned": _learned,
    "none": _none,
    "relative": _relative,
    "rotary": _rotary,
    "alibi": _alibi,
}
