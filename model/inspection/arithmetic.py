"""Arithmetic of a head: from query and keys to its share of the sub-layer's output (paper, section 3.2).

Worked out in float64 from the float32 vectors that enter the sub-layer, so that what is shown adds up.
Shapes: H heads, Q queries, K keys, d d_model, e = d / H.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from model.inspection.asked import Asked
from model.inspection.plain import check_head, check_query, plain
from model.inspection.reading import Reader
from model.inspection.readings import Readings, StackPass
from model.network.attention import AttentionSite, MultiHeadAttention
from model.network.relative_positions import Spots
from model.network.sharing import spread
from model.questions.answers import RowArithmetic, Stages
from model.questions.questions import Reading, RowOf, StagesOf
from model.read_only import read_only
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
    weight = attention.in_proj_weight[rows].double().view(heads, attention.width, -1)
    bias = weight.new_zeros(heads, attention.width, 1)
    if attention.in_proj_bias is not None:
        bias = attention.in_proj_bias[rows].double().view(heads, attention.width, 1)
    count = attention.n_heads
    return spread(weight, count)[head], spread(bias, count)[head, :, 0]


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


def row_of(question: RowOf, asked: Asked) -> Iterator[RowArithmetic | None]:
    """One query of one head; yields None while a stack is still to be computed, and last the answer.

    Raises:
        HeadscopeError: there is no such head or row, or nothing to read; or numbers overflow.
    """
    readings = asked.readings
    reader = _reader(readings, question, asked.reading)
    check_query(reader, question.kind, question.query)
    inputs = yield from attention_inputs(readings, reader, question.kind, question.layer)
    yield _row(reader, question, inputs)


def stages_of(question: StagesOf, asked: Asked) -> Iterator[Stages | None]:
    """All rows of a head at each stage of the softmax; as `row_of`."""
    readings = asked.readings
    reader = _reader(readings, question, asked.reading)
    inputs = yield from attention_inputs(readings, reader, question.kind, question.layer)
    yield _stages(reader, question, inputs)


def _reader(readings: Readings, question: RowOf | StagesOf, reading: Reading) -> Reader:
    check_head(readings.bundle.config.architecture, question.kind, question.layer, question.head)
    reader = readings.reader(reading)
    if question.kind is not AttentionKind.ENCODER_SELF:
        reader.require_steps()
    return reader


class _Softmax(NamedTuple):
    """Each stage, [..., K]."""

    scores: Tensor
    scaled: Tensor
    masked: Tensor
    pattern: Tensor
    forbidden: Tensor

    @classmethod
    def of(cls, q: Tensor, keys: Tensor, allowed: Tensor | None, added: Tensor | None) -> _Softmax:
        """Of q [..., q, e] and keys [..., K, e]; `allowed` broadcasts to [q, K], what is added has all."""
        scores = q @ keys.transpose(-1, -2)
        scaled = scores / math.sqrt(q.shape[-1])
        if allowed is None:
            forbidden = torch.zeros(scores.shape, dtype=torch.bool, device=scores.device)
        else:
            forbidden = (~allowed).expand(scores.shape)
        compared = scaled if added is None else scaled + added
        masked = compared.masked_fill(forbidden, -math.inf)
        blind = forbidden.all(-1, keepdim=True)  # softmax of nothing is no number; such a row is zeros
        pattern = masked.softmax(-1).masked_fill(blind, 0.0)
        return cls(scores, scaled, masked, pattern, forbidden)


class _Worked(NamedTuple):
    """What all heads of an attention do at one query; see `RowArithmetic`."""

    q: Tensor
    keys: Tensor
    values: Tensor
    stages: _Softmax
    added: Tensor | None
    used: Tensor
    output: Tensor
    parts: Tensor
    shares: Tensor


def _worked_out(
    reader: Reader, kind: AttentionKind, layer: int, query: int, inputs: AttentionInputs
) -> _Worked:
    attention = reader.attention(kind, layer)
    spots, row = reader.spots(kind), slice(query, query + 1)
    queries = project(attention, inputs.queries, 0, spots)
    keys, values = project(attention, inputs.keys, KEY, spots), project(attention, inputs.keys, VALUE)
    q, added = queries[:, row], placed(attention, queries, spots)
    added = None if added is None else added[:, row]
    by_query = placed_values(attention, values, spots)
    values = by_query[:, query if by_query.shape[1] > 1 else 0]
    allowed = reader.allowed(kind)
    if kind is AttentionKind.DECODER_SELF and allowed is not None:
        allowed = allowed[query : query + 1]
    stages = _Softmax.of(q, keys, allowed, added)  # [H, 1, K]
    used = reader.altering.used(AttentionSite(kind, layer), stages.pattern[None], query)[0]
    output = used @ values
    parts = output_parts(attention)
    shares = (parts @ output.transpose(-1, -2))[..., 0]
    return _Worked(q, keys, values, stages, added, used, output, parts, shares)


def head_shares(
    reader: Reader, kind: AttentionKind, layer: int, query: int, inputs: AttentionInputs
) -> Tensor:
    """What each head adds to the sub-layer's output at a query, float64 [H, d]; without the bias of W_O."""
    return _worked_out(reader, kind, layer, query, inputs).shares


@torch.inference_mode()
def _row(reader: Reader, question: RowOf, inputs: AttentionInputs) -> RowArithmetic:
    kind, layer, head, query = question.kind, question.layer, question.head, question.query
    attention = reader.attention(kind, layer)
    worked = _worked_out(reader, kind, layer, query, inputs)
    bias = output_bias(attention)
    own = _Softmax(*(stage[head, 0] for stage in worked.stages))
    return RowArithmetic(
        kind,
        layer,
        head,
        query,
        q=plain(worked.q[head, 0]),
        keys=plain(worked.keys[head]),
        values=plain(worked.values[head]),
        scores=plain(own.scores),
        scaled=plain(own.scaled),
        masked=plain(own.masked, finite=False),
        forbidden=read_only(own.forbidden.numpy(force=True)),
        pattern=plain(own.pattern),
        used=plain(worked.used[head, 0]),
        output=plain(worked.output[head, 0]),
        projection=plain(worked.parts[head]),
        share=plain(worked.shares[head]),
        bias=plain(bias),
        total=plain(worked.shares.sum(0) + bias),
        share_norms=plain(worked.shares.norm(dim=-1)),
        positions="" if attention.relative is None else reader.architecture.positions,
        placed=None if worked.added is None else plain(worked.added[head, 0]),
    )


@torch.inference_mode()
def _stages(reader: Reader, question: StagesOf, inputs: AttentionInputs) -> Stages:
    kind, layer, head = question.kind, question.layer, question.head
    attention = reader.attention(kind, layer)
    spots = reader.spots(kind)
    queries, keys = project(attention, inputs.queries, 0, spots), project(attention, inputs.keys, KEY, spots)
    added = placed(attention, queries, spots)
    added = None if added is None else added[head]
    stages = _Softmax.of(queries[head], keys[head], reader.allowed(kind), added)
    return Stages(
        kind,
        layer,
        head,
        scores=plain(stages.scores),
        scaled=plain(stages.scaled),
        masked=plain(stages.masked, finite=False),
        pattern=plain(stages.pattern),
        forbidden=read_only(stages.forbidden.numpy(force=True)),
        placed=None if added is None else plain(added),
    )
