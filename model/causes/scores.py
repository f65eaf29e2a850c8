"""Scores taken apart into products of the query's and the key's parts; see `model.causes.residual`.

s_ij = Σ_a Σ_b (r_i^a W_Q) · (r_j^b W_K) / √d_head (transformer-circuits.pub/2025/attention-qk), with the
biases of both projections as parts of their own. Where positions turn queries and keys (rotary), every part
is turned as the whole is.

Shapes: A parts of the query, B of the key, d d_model, e width of a head.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator

import torch
from torch import Tensor

from model.causes.residual import Parts, memory_read, read_by
from model.errors import HeadscopeError
from model.inspection.arithmetic import KEY, head_projection, inputs_of, placed, project
from model.inspection.asked import Asked
from model.inspection.plain import check_head, check_query
from model.inspection.reading import Reader
from model.inspection.readings import Readings, StackPass
from model.network.attention import MultiHeadAttention
from model.network.relative_positions import Spots
from model.questions.causes.parts import Part
from model.questions.causes.scores import ScoreOf, ScoreParts
from model.read_only import read_only
from model.trace.trace import AttentionKind

QUERY = 0


def score_of(question: ScoreOf, asked: Asked) -> Iterator[ScoreParts | None]:
    """One score as a sum; yields None while a stack is still to be computed, and last the answer.

    Raises:
        HeadscopeError: there is no such head, row or column, or nothing to read; or numbers overflow.
    """
    readings = asked.readings
    check_head(readings.bundle.config.architecture, question.kind, question.layer, question.head)
    reader = readings.reader(asked.reading)
    if question.kind is not AttentionKind.ENCODER_SELF:
        reader.require_steps()
    check_query(reader, question.kind, question.query)
    keys = reader.target_ids if question.kind is AttentionKind.DECODER_SELF else reader.source_ids
    if not 0 <= question.key < len(keys):
        raise HeadscopeError("export_key", value=question.key + 1, count=len(keys))
    source, passed = yield from _passes(readings, reader, question.kind)
    yield _taken_apart(reader, source, passed, question)


def _passes(
    readings: Readings, reader: Reader, kind: AttentionKind
) -> Generator[None, None, tuple[StackPass, StackPass]]:
    """The encoder, and the stack that the attention stands in."""
    source = yield from readings.source(reader)
    if kind is AttentionKind.ENCODER_SELF:
        return source, source
    return source, (yield from readings.target(reader))


@torch.inference_mode()
def _taken_apart(reader: Reader, source: StackPass, passed: StackPass, question: ScoreOf) -> ScoreParts:
    kind, layer, head, query, key = (
        question.kind, question.layer, question.head, question.query, question.key,
    )  # fmt: skip
    attention, spots = reader.attention(kind, layer), reader.spots(kind)
    inputs = inputs_of(passed, reader, kind, layer)
    place = {AttentionKind.ENCODER_SELF: 2 * layer, AttentionKind.DECODER_SELF: 3 * layer}
    asking = read_by(reader, passed, query, place.get(kind, 3 * layer + 1))
    if kind is AttentionKind.CROSS:
        asked_about = memory_read(reader, source, key, layer)
    else:
        asked_about = read_by(reader, passed, key, place[kind])
    query_side = passed.side
    key_side = "source" if kind is AttentionKind.CROSS else passed.side
    q_parts, q = _projected(attention, head, QUERY, asking, Part("bias", query_side, "query", layer))
    k_parts, k = _projected(attention, head, KEY, asked_about, Part("bias", key_side, "key", layer))
    q, k = _turned(attention, q, spots, query), _turned(attention, k, spots, key)
    root = math.sqrt(attention.width)
    queries = project(attention, inputs.queries, QUERY, spots)
    keys = project(attention, inputs.keys, KEY, spots)
    score = float(queries[head, query] @ keys[head, key]) / root
    added = placed(attention, queries, spots)
    allowed = reader.allowed(kind)
    shape = (len(inputs.queries), len(inputs.keys))
    return ScoreParts(
        question,
        q_parts,
        k_parts,
        read_only((q @ k.T / root).numpy(force=True)),
        score,
        None if added is None else float(added[head, query, key]),
        False if allowed is None else not bool(allowed.expand(shape)[query, key]),
    )


def _projected(
    attention: MultiHeadAttention, head: int, part: int, parts: Parts, bias_part: Part
) -> tuple[tuple[Part, ...], Tensor]:
    """A head's queries or keys of each part, [P, e], the bias last where there is one."""
    weight, bias = head_projection(attention, part, head)
    vectors = parts.vectors @ weight.T
    if attention.in_proj_bias is None:
        return parts.names, vectors
    return (*parts.names, bias_part), torch.cat([vectors, bias[None]])


def _turned(attention: MultiHeadAttention, vectors: Tensor, spots: Spots | None, position: int) -> Tensor:
    """Parts of one position [P, e] as queries and keys are turned there, where the model turns them."""
    if attention.relative is None or spots is None:
        return vectors
    here = spots.queries[:, position : position + 1]
    return attention.relative.turned(vectors[None, :, None], Spots(here, here))[0, :, 0]
