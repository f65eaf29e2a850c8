"""Arithmetic of a head: from query and keys to its share of the sub-layer's output (paper, section 3.2).

Worked out in float64 from the float32 vectors that enter the sub-layer, so that what is shown adds up.
Shapes: H heads, Q queries, K keys, d d_model, e = d / H.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import NamedTuple

import torch
from torch import Tensor

from model.inspection.reading import Reader
from model.inspection.readings import Readings, StackPass
from model.inspection.terms import (
    AttentionTerms,
    worked_out,
)
from model.network.attention import AttentionSite, MultiHeadAttention
from model.network.relative_positions import Spots
from model.network.sharing import spread
from model.questions.questions import Reading
from model.trace.trace import AttentionKind

KEY, VALUE = 1, 2  # which part of the fused projection


class AttentionInputs(NamedTuple):
    """What an attention module reads: queries [Q, d], and what keys and values are made of [K, d]."""

    queries: Tensor
    keys: Tensor


def attention_inputs(
    readings: Readings, reader: Reader, kind: AttentionKind, layer: int
) -> Generator[None, None, AttentionInputs]:
    """What the attention of a kind and layer reads; yields while a stack is still to be computed.

    Raises:
        HeadscopeError: a decoder's attention where there is no translation; or numbers overflow.
    """
    if kind is AttentionKind.ENCODER_SELF:
        return inputs_of((yield from readings.source(reader)), reader, kind, layer)
    return inputs_of((yield from readings.target(reader)), reader, kind, layer)


def inputs_of(passed: StackPass, reader: Reader, kind: AttentionKind, layer: int) -> AttentionInputs:
    """What the attention of a kind and layer reads, of the stack that it stands in."""
    if kind is AttentionKind.CROSS:
        read = reader.read_by(passed.memory, layer)
        return AttentionInputs(passed.sublayers[3 * layer + 1].reads, read)
    reads = passed.sublayers[(2 if kind is AttentionKind.ENCODER_SELF else 3) * layer].reads
    return AttentionInputs(reads, reads)


def project(attention: MultiHeadAttention, x: Tensor, part: int, spots: Spots | None = None) -> Tensor:
    """Queries (part 0), keys (1) or values (2) of x [n, d], biases included: float64 [H, n, e].

    Keys and values that several heads share come once for each of them.

    Args:
        spots: where the tokens stand; queries and keys are turned by it, where the model turns them.
    """
    rows = attention.rows(part, part + 1)
    heads = attention.kv_heads if part else attention.n_heads
    result = x.double() @ attention.in_proj_weight[rows].double().t()
    if attention.in_proj_bias is not None:
        result = result + attention.in_proj_bias[rows].double()
    parts = spread(result.view(len(x), heads, attention.width).transpose(0, 1), attention.n_heads)
    if attention.relative is None or spots is None or part == VALUE:
        return parts
    return attention.relative.turned(parts[None], spots)[0]


def head_projection(attention: MultiHeadAttention, part: int, head: int) -> tuple[Tensor, Tensor]:
    """The matrix [e, d] and the bias [e] that make a head's queries (part 0), keys or values: float64."""
    rows = attention.rows(part, part + 1)
    heads = attention.kv_heads if part else attention.n_heads
    weight = attention.in_proj_weight[rows].view(heads, attention.width, -1)
    bias = weight.new_zeros(heads, attention.width, 1)
    if attention.in_proj_bias is not None:
        bias = attention.in_proj_bias[rows].view(heads, attention.width, 1)
    count = attention.n_heads
    return spread(weight, count)[head].double(), spread(bias, count)[head, :, 0].double()


def placed(attention: MultiHeadAttention, q: Tensor, spots: Spots | None) -> Tensor | None:
    """What positions add to the scaled scores of queries q [H, Q, e]: float64 [H, Q, K]; None: nothing."""
    if attention.relative is None or spots is None:
        return None
    added = attention.relative.added(q[None] / math.sqrt(q.shape[-1]), spots)
    return None if added is None else added[0].expand(*q.shape[:2], -1)


def placed_values(attention: MultiHeadAttention, values: Tensor, spots: Spots | None) -> Tensor:
    """Values [H, K, e] as each query mixes them: [H, Q or 1, K, e]."""
    more = None if attention.relative is None or spots is None else attention.relative.value_terms(spots)
    return values[:, None] if more is None else values[:, None] + more.double()


def output_parts(attention: MultiHeadAttention) -> Tensor:
    """The columns of W_O by head, float64 [H, d, e]."""
    weight = attention.out_proj.weight.double()
    return weight.view(len(weight), attention.n_heads, -1).transpose(0, 1)


def output_bias(attention: MultiHeadAttention) -> Tensor:
    """The bias of W_O, float64 [d]; zeros without one."""
    bias: Tensor | None = attention.out_proj.bias
    if bias is None:
        weight = attention.out_proj.weight
        return torch.zeros(len(weight), dtype=torch.float64, device=weight.device)
    return bias.double()


class OwnAttending:
    """See `model.inspection.terms.Attending`: of a model of ours."""

    def __init__(self, readings: Readings, reading: Reading) -> None:
        self._readings = readings
        self._reader = readings.reader(reading)
        self.outline = readings.bundle.outline
        self.altering = self._reader.altering

    def rows(self, kind: AttentionKind) -> int:
        """See `Attending`."""
        return len(self._reader.source_ids if kind is AttentionKind.ENCODER_SELF else self._reader.target_ids)

    def terms(self, kind: AttentionKind, layer: int) -> Generator[None, None, AttentionTerms]:
        """See `Attending`."""
        reader = self._reader
        if kind is AttentionKind.CROSS and not reader.out_ids:
            # There are keys and values, and nobody yet who asks for them.
            source = yield from self._readings.source(reader)
            inputs = AttentionInputs(source.output[:0], reader.read_by(source.memory, layer))
        else:
            inputs = yield from attention_inputs(self._readings, reader, kind, layer)
        return terms_of(self._reader, kind, layer, inputs)


@torch.inference_mode()
def terms_of(
    reader: Reader, kind: AttentionKind, layer: int, inputs: AttentionInputs, query: int | None = None
) -> AttentionTerms:
    """What an attention of a model of ours computes with; of one query alone, or (None) of all."""
    attention, spots, allowed = reader.attention(kind, layer), reader.spots(kind), reader.allowed(kind)
    asking, here = inputs.queries, spots
    if query is not None:
        row = slice(query, query + 1)
        asking = inputs.queries[row]
        here = None if spots is None else Spots(spots.queries[:, row], spots.keys)
        if kind is AttentionKind.DECODER_SELF and allowed is not None:
            allowed = allowed[row]
    queries = project(attention, asking, 0, here)
    relative = attention.relative
    return AttentionTerms(
        queries=queries,
        keys=project(attention, inputs.keys, KEY, spots),
        values=placed_values(attention, project(attention, inputs.keys, VALUE), here),
        added=placed(attention, queries, here),
        allowed=allowed,
        parts=output_parts(attention),
        bias=output_bias(attention),
        positions="" if relative is None else reader.architecture.positions,
        by_query=relative is not None and not relative.fuses,
    )


def head_shares(
    reader: Reader, kind: AttentionKind, layer: int, query: int, inputs: AttentionInputs
) -> Tensor:
    """What each head adds to the sub-layer's output at a query, float64 [H, d]; without the bias of W_O."""
    terms, site = terms_of(reader, kind, layer, inputs, query), AttentionSite(kind, layer)
    return worked_out(terms, reader.altering, site, query, 0).shares
