"""Value norms: how long the values are that attention weights mix (Kobayashi et al., arXiv 2004.10102).

f_h(x) = (x W_V^h + b_V^h) W_O^h, so that the head's output after W_O is the sum of α f_h(x) over the keys
(their equation 3) and ‖α f_h(x)‖ tells what a weight moves. The bias of W_O is no key's and is left out.

Shapes: L layers, K keys, H heads, d d_model.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from model.inspection.arithmetic import VALUE, output_parts, placed_values, project
from model.inspection.asked import Asked
from model.inspection.plain import plain
from model.inspection.reading import Reader
from model.inspection.readings import StackPass
from model.network.attention import MultiHeadAttention
from model.questions.answers import ValueGrams
from model.questions.questions import ValueNorms
from model.read_only import read_only
from model.trace.attention_shape import layers_of
from model.trace.trace import AttentionKind, Floats


def grams_of(question: ValueNorms, asked: Asked) -> Iterator[ValueGrams | None]:
    """Inner products of all heads' transformed values; yields None after each layer, and last the answer.

    Where there is no translation yet, the decoder's self-attention has no keys: [L, 0, H, H].

    Raises:
        HeadscopeError: there is nothing to read, or numbers overflow.
    """
    readings = asked.readings
    reader = readings.reader(asked.reading)
    source = yield from readings.source(reader)
    target = (yield from readings.target(reader)) if reader.out_ids else None
    grams: dict[AttentionKind, Floats] = {}
    for kind in AttentionKind:
        layers: list[Floats] = []
        for layer in range(layers_of(reader.architecture, kind)):
            reads = _keys(reader, kind, layer, source, target)
            layers.append(_gram(reader, kind, layer, reads))
            yield None
        grams[kind] = read_only(np.stack(layers))
    yield ValueGrams(grams)


def _keys(
    reader: Reader, kind: AttentionKind, layer: int, source: StackPass, target: StackPass | None
) -> Tensor:
    """What keys and values are made of, [K, d]."""
    if kind is AttentionKind.ENCODER_SELF:
        return source.sublayers[2 * layer].reads
    if kind is AttentionKind.CROSS:
        return reader.read_by(source.memory, layer)
    return source.output[:0] if target is None else target.sublayers[3 * layer].reads


@torch.inference_mode()
def _gram(reader: Reader, kind: AttentionKind, layer: int, reads: Tensor) -> Floats:
    """[K, H, H] of what keys and values are made of [K, d]; [Q, K, H, H] where values depend on the query."""
    attention = reader.attention(kind, layer)
    values = placed_values(attention, project(attention, reads, VALUE), reader.spots(kind))  # [H, Q, K, e]
    transformed = values @ output_parts(attention)[:, None].transpose(-1, -2)  # [H, Q, K, d]
    by_key = transformed.permute(1, 2, 0, 3)
    gram = by_key @ by_key.transpose(-1, -2)
    return plain(gram if _by_query(attention) else gram[0])


def _by_query(attention: MultiHeadAttention) -> bool:
    """Whether what a key's value is depends on who asks."""
    return attention.relative is not None and not attention.relative.fuses
