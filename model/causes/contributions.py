"""Contributions (ALTI, ALTI+): outputs of attention blocks taken apart into one vector of each token read.

The equations stand in `model.questions.causes.contributions`. What differs from the papers, or is said there
for post-norm LayerNorm alone: in pre-norm the norm acts on x_j before it is read, kept at x_j's deviation;
BatchNorm is linear with its running statistics; a value that depends on how far a token is (relative
positions) is that token's. Where the decoder reads a mean of encoder layers, the mean is one more sum, of the
layers at one token, and its parts have shares by the same measure.

Worked out in float64 from what the kept reading holds in float32.
Shapes: H heads, Q queries, K keys, q some of the queries, d d_model, e = d / H.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from model.config import Architecture
from model.errors import HeadscopeError
from model.inspection.arithmetic import KEY, VALUE, output_parts, placed, project
from model.inspection.asked import Asked
from model.inspection.plain import plain
from model.inspection.reading import Reader, Sublayer
from model.inspection.readings import StackPass
from model.network.attention import AttentionSite
from model.network.norms import BatchNorm, LayerNorm, Norm
from model.questions.causes.contributions import (
    Contributions,
    ContributionsOf,
    HeadContributions,
    HeadContributionsOf,
)
from model.read_only import read_only
from model.trace.trace import AttentionKind, Floats

LARGEST = 256 << 20
"""Bytes that an answer may take."""

# Bytes of transformed vectors at a time: what fits a processor's cache is done three times as soon.
_CHUNK = 4 << 20
_FLOAT, _DOUBLE = 4, 8


class Block(NamedTuple):
    """An attention block as a sum: y = Σ_h used · moved of head h, through the norm, + residual + biases.

    Attributes:
        used: [H, Q, K] weights as the model goes on with them.
        values: [H, K, e] of the keys without any bias, that of a norm before included; `whole` with them.
        more: [Q, K, e] what positions add to values; None for nothing.
        parts: [H, d, e] the columns of W_O.
        sublayer: the block itself. joined: whether query i and key i are one token, which has the residual.
    """

    used: Tensor
    values: Tensor
    whole: Tensor
    more: Tensor | None
    parts: Tensor
    sublayer: Sublayer
    joined: bool

    @property
    def width(self) -> int:
        """K · d: numbers that one query's vectors are."""
        return self.used.shape[2] * self.parts.shape[1]

    def by_head(self, rows: slice) -> Tensor:
        """[H, q, K, d]: each head's part of T_i(x_j), without the residual."""
        values = self.values[:, None] if self.more is None else self.values[:, None] + self.more[rows]
        moved = values @ self.parts[:, None].transpose(-1, -2)
        return self.through(self.used[:, rows, :, None] * moved, rows)

    def mixed_of(self, keys: slice) -> Tensor:
        """[Q, k, d] what the attention's own output has of some keys, with the biases of their values."""
        values = self.whole[:, None, keys]
        values = values if self.more is None else values + self.more[:, keys]
        weighted = self.used[:, :, keys, None] * values  # [H, Q, k, e]
        return torch.einsum("hqke,hde->qkd", weighted, self.parts)

    def tokens(self, rows: slice) -> Tensor:
        """[q, K, d] T_i(x_j); where the residual is no token's [q, K + 1, d], it last."""
        if self.more is None:
            moved = self.values @ self.parts.transpose(-1, -2)
            summed = self.through(torch.einsum("hqk,hkd->qkd", self.used[:, rows], moved), rows)
        else:
            summed = self.by_head(rows).sum(0)
        residual = self.residual(rows)
        if not self.joined:
            return torch.cat([summed, residual[:, None]], 1)
        first = rows.start or 0
        at = torch.arange(len(residual), device=summed.device)
        summed[at, at + first] += residual
        return summed

    def residual(self, rows: slice) -> Tensor:
        """[q, d] what the residual connection brings to y."""
        return self.through(self.sublayer.before[rows].double()[:, None], rows)[:, 0]

    def through(self, x: Tensor, rows: slice) -> Tensor:
        """x [..., q, K, d] behind the block's norm, where it comes after."""
        one = self.sublayer
        return x if one.pre_norm else linearised(one.norm, x, one.total[rows].double()[:, None])

    def after(self, rows: slice) -> Tensor:
        """[q, d] y."""
        return self.sublayer.after[rows].double()

    def chunks(self, vectors: int = 1) -> Iterator[slice]:
        """Queries so many at a time that memory stays bounded."""
        count = self.used.shape[1]
        step = max(1, _CHUNK // (_DOUBLE * max(1, self.width) * vectors))
        return (slice(first, min(count, first + step)) for first in range(0, count, step))


def linearised(norm: Norm, x: Tensor, at: Tensor) -> Tensor:
    """x [..., d] through a norm without its bias, kept as it is at `at` [..., d]."""
    weight = norm.weight.double()
    if isinstance(norm, BatchNorm):
        return x * weight * (norm.running_var.double() + norm.eps).rsqrt()
    assert isinstance(norm, LayerNorm)
    deviation = (at.var(-1, correction=0, keepdim=True) + norm.eps).sqrt()
    return (x - x.mean(-1, keepdim=True)) * weight / deviation


@torch.inference_mode()
def block_of(reader: Reader, site: Site) -> Block:
    """The attention block at a site."""
    kind, sublayer, read = site
    memory = read if kind is AttentionKind.CROSS else None
    attention, spots = reader.attention(kind, sublayer.layer), reader.spots(kind)
    reads = sublayer.reads if memory is None else memory
    queries, keys = project(attention, sublayer.reads, 0, spots), project(attention, reads, KEY, spots)
    scores = queries @ keys.transpose(-1, -2) / queries.shape[-1] ** 0.5
    added, allowed = placed(attention, queries, spots), reader.allowed(kind)
    scores = scores if added is None else scores + added
    if allowed is not None:
        forbidden = (~allowed).expand(scores.shape)
        blind = forbidden.all(-1, keepdim=True)  # softmax of nothing is no number; such a row is zeros
        scores = scores.masked_fill(forbidden, -torch.inf).softmax(-1).masked_fill(blind, 0.0)
    else:
        scores = scores.softmax(-1)
    used = reader.altering.used(AttentionSite(kind, sublayer.layer), scores[None], 0)[0]
    more = None
    if attention.relative is not None and spots is not None:
        terms = attention.relative.value_terms(spots)
        more = None if terms is None else terms[0].double()
    whole = project(attention, reads, VALUE)
    if memory is None and sublayer.pre_norm:
        x = sublayer.before.double()
        reads = linearised(sublayer.norm, x, x)
    values = project(attention, reads, VALUE) - project(attention, torch.zeros_like(reads[:1]), VALUE)
    return Block(used, values, whole, more, output_parts(attention), sublayer, memory is None)


class Site(NamedTuple):
    """Where an attention block is.

    Attributes:
        read: [S, d] what its decoder layer reads of the encoder; None in the encoder.
    """

    kind: AttentionKind
    sublayer: Sublayer
    read: Tensor | None = None


def sites_of(reader: Reader, source: StackPass, target: StackPass | None) -> list[Site]:
    """All attention blocks of a reading; where there is no translation, the encoder's alone."""
    sites = [Site(AttentionKind.ENCODER_SELF, one) for one in source.sublayers[::2]]
    if target is None:
        return sites
    kinds = {"self_attention": AttentionKind.DECODER_SELF, "cross": AttentionKind.CROSS}
    return sites + [
        Site(kinds[one.name], one, reader.read_by(target.memory, one.layer))
        for one in target.sublayers
        if one.name in kinds
    ]


def read_through(asked: Asked) -> Generator[None, None, tuple[Reader, StackPass, StackPass | None]]:
    """Both stacks of a reading; yields while they are still to be computed."""
    readings = asked.readings
    reader = readings.reader(asked.reading)
    source = yield from readings.source(reader)
    return reader, source, (yield from readings.target(reader)) if reader.out_ids else None


def contributions_of(question: ContributionsOf, asked: Asked) -> Iterator[Contributions | None]:
    """What every token is made of; yields None where it may be interrupted, and last the answer.

    Raises:
        HeadscopeError: the answer would be larger than `LARGEST` bytes, some output has no part in its own
            direction, numbers overflow; or the model is not our own.
    """
    check_size(asked)
    reader, source, target = yield from read_through(asked)
    a, (tokens, steps) = reader.architecture, (len(reader.source_ids), len(reader.out_ids))
    found: dict[AttentionKind, list[Floats]] = {kind: [] for kind in AttentionKind}
    for site in sites_of(reader, source, target):
        block, rows = block_of(reader, site), []
        for chunk in block.chunks():
            rows.append(_shares_of(block, chunk, site.kind))
            yield None
        found[site.kind].append(plain(torch.cat(rows)))
    cross = _stacked(found[AttentionKind.CROSS], (a.decoder_layers, steps, tokens + 1))
    yield Contributions(
        _stacked(found[AttentionKind.ENCODER_SELF], (a.encoder_layers, tokens, tokens)),
        _stacked(found[AttentionKind.DECODER_SELF], (a.decoder_layers, steps, steps)),
        read_only(cross[..., :-1].copy()),
        read_only(cross[..., -1].copy()),
        _read(reader, source),
        bool(a.copying),
    )


def heads_of(question: HeadContributionsOf, asked: Asked) -> Iterator[HeadContributions | None]:
    """Which heads carry each contribution; as `contributions_of`."""
    check_size(asked, by_head=True)
    reader, source, target = yield from read_through(asked)
    a, (tokens, steps) = reader.architecture, (len(reader.source_ids), len(reader.out_ids))
    heads: dict[AttentionKind, list[Floats]] = {kind: [] for kind in AttentionKind}
    residuals: dict[AttentionKind, list[Floats]] = {kind: [] for kind in AttentionKind}
    for site in sites_of(reader, source, target):
        block, parts = block_of(reader, site), []
        for chunk in block.chunks(len(block.parts)):
            parts.append(_head_shares(block, chunk))
            yield None
        heads[site.kind].append(plain(torch.cat([one for one, _ in parts], 1)))
        residuals[site.kind].append(plain(torch.cat([one for _, one in parts])))
    n, e, d = a.n_heads, a.encoder_layers, a.decoder_layers
    shapes = ((e, n, tokens, tokens), (d, n, steps, steps), (d, n, steps, tokens))
    pairs = list(zip(AttentionKind, shapes, strict=True))
    yield HeadContributions(
        {kind: _stacked(heads[kind], shape) for kind, shape in pairs},
        {kind: _stacked(residuals[kind], (shape[0], shape[2])) for kind, shape in pairs},
    )


def nearness(y: Tensor, parts: Tensor) -> Tensor:
    """[..., n]: how much nearer each part [..., n, d] is to y [..., d] than nothing, by sums of |·|."""
    return (y.abs().sum(-1, keepdim=True) - (y[..., None, :] - parts).abs().sum(-1)).clamp_min(0.0)


@torch.inference_mode()
def _shares_of(block: Block, rows: slice, kind: AttentionKind) -> Tensor:
    """[q, K], or with the residual apart [q, K + 1]; rows sum to 1."""
    near = nearness(block.after(rows), block.tokens(rows))
    total = near.sum(-1, keepdim=True)
    if not bool((total > 0).all()):
        place = int((total[:, 0] > 0).logical_not().nonzero()[0, 0]) + (rows.start or 0)
        raise HeadscopeError(
            "contributions_none", kind=str(kind), layer=block.sublayer.layer + 1, token=place + 1
        )
    return near / total


@torch.inference_mode()
def _head_shares(block: Block, rows: slice) -> tuple[Tensor, Tensor]:
    """[H, q, K] of the heads and [q] of the residual, to a token's own contribution."""
    y = block.after(rows)
    near = nearness(y, block.by_head(rows).movedim(0, 2).flatten(1, 2))  # [q, K · H]
    near = near.view(len(y), -1, len(block.parts))
    alone = torch.zeros(near.shape[:2], dtype=near.dtype, device=near.device)
    at = torch.arange(len(y), device=y.device)
    if block.joined:
        alone[at, at + (rows.start or 0)] = nearness(y, block.residual(rows)[:, None])[:, 0]
    total = near.sum(-1) + alone
    total = torch.where(total > 0, total, 1.0)
    residual = alone / total
    kept = residual[at, at + (rows.start or 0)] if block.joined else residual[:, 0] * 0
    return (near / total[..., None]).movedim(-1, 0), kept


@torch.inference_mode()
def _read(reader: Reader, source: StackPass) -> Floats:
    """[D, E + 1, S]: what encoder layers contribute to what each decoder layer reads of a token."""
    a, ends = reader.architecture, torch.stack(source.ends, 1).double()  # [S, E + 1, d]
    weights = reader.transformer.memory_mix.shares().double().to(ends.device)
    found: list[Tensor] = []
    for row in weights:
        if int((row > 0).sum()) == 1:
            found.append((row > 0).double()[:, None].expand(-1, len(ends)))
            continue
        parts = row[:, None] * ends
        mean = parts.sum(1)
        if a.norm == "pre_norm":
            norm = reader.transformer.encoder.norm
            assert norm is not None
            closed = reader.close("source", mean.to(source.output.dtype)).double()
            parts, mean = linearised(norm, parts, mean[:, None]), closed
        near = nearness(mean, parts)
        total = near.sum(-1, keepdim=True)
        if not bool((total > 0).all()):
            raise HeadscopeError("contributions_none", kind="cross", layer=len(found) + 1, token=1)
        found.append((near / total).t())
    return plain(torch.stack(found))


def _stacked(layers: list[Floats], shape: tuple[int, ...]) -> Floats:
    """All layers of a kind; zeros of this shape where there are none."""
    return read_only(np.stack(layers)) if layers else read_only(np.zeros(shape, np.float32))


def check_size(asked: Asked, *, by_head: bool = False) -> None:
    """Raise `HeadscopeError` (`contributions_large`) for a reading whose answer would take too much."""
    a: Architecture = asked.bundle.config.architecture
    source, steps = len(asked.reading.src_ids), len(asked.reading.out_ids)
    cells = a.encoder_layers * source * source + a.decoder_layers * steps * (steps + source)
    size = _FLOAT * cells * (a.n_heads if by_head else 2)
    if size > LARGEST:
        values = {"size": size >> 20, "limit": LARGEST >> 20}
        raise HeadscopeError("contributions_large", source=source, steps=steps, **values)
