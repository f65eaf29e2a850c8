"""How long the transformed values are that attention weights mix (Kobayashi et al. 2020, arXiv 2004.10102).

f_h(x) = (x W_V^h + b_V^h) W_O^h, so that the head's output after W_O is the sum of α f_h(x) over the keys
(their equation 3) and ‖α f_h(x)‖ tells what a weight moves. The bias of W_O is no key's and is left out.

Shapes: L layers, K keys, H heads, d d_model.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
import torch
from torch import Tensor

from model.alteration_check import layers_of
from model.attention import MultiHeadAttention
from model.inspection.answers import ValueGrams
from model.inspection.arithmetic import VALUE, output_parts, project
from model.inspection.plain import frozen, plain
from model.inspection.readings import Readings, StackPass
from model.questions import Reading
from model.trace import AttentionKind, Floats


def grams_of(readings: Readings, reading: Reading) -> Generator[None, None, ValueGrams]:
    """Inner products of all heads' transformed values; yields after each layer.

    Where there is no translation yet, the decoder's self-attention has no keys: [L, 0, H, H].

    Raises:
        HeadscopeError: there is nothing to read, or numbers overflow.
    """
    reader = readings.reader(reading)
    source = yield from readings.source(reader)
    target = (yield from readings.target(reader)) if reader.out_ids else None
    grams: dict[AttentionKind, Floats] = {}
    for kind in AttentionKind:
        layers: list[Floats] = []
        for layer in range(layers_of(reader.architecture, kind)):
            reads = _keys(kind, layer, source, target)
            layers.append(_gram(reader.attention(kind, layer), reads))
            yield None
        grams[kind] = frozen(np.stack(layers))
    return ValueGrams(grams)


def _keys(kind: AttentionKind, layer: int, source: StackPass, target: StackPass | None) -> Tensor:
    """What keys and values are made of, [K, d]."""
    if kind is AttentionKind.ENCODER_SELF:
        return source.sublayers[2 * layer].reads
    if kind is AttentionKind.CROSS:
        return source.output
    return source.output[:0] if target is None else target.sublayers[3 * layer].reads


@torch.inference_mode()
def _gram(attention: MultiHeadAttention, reads: Tensor) -> Floats:
    """[K, H, H] of what keys and values are made of [K, d]."""
    transformed = project(attention, reads, VALUE) @ output_parts(attention).transpose(-1, -2)  # [H, K, d]
    by_key = transformed.transpose(0, 1)
    return plain(by_key @ by_key.transpose(-1, -2))
