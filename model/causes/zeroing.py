"""Value zeroing: each layer computed again without one token's values, for every token.

The equation stands in `model.questions.causes.zeroing`. A token's value is what attention mixes of it, its
bias and what relative positions add included. 1 - cos is taken as half the squared distance of the two
outputs at length 1, which float32 does not round away.

Shapes: Q queries, K keys, k some of the keys, d d_model.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from model.causes.contributions import Block, Site, block_of, read_through, sites_of
from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.inspection.plain import plain
from model.inspection.reading import Reader
from model.network.attention import AttentionSite
from model.network.layers import DecoderLayer
from model.questions.causes.zeroing import Zeroing, ZeroingOf
from model.read_only import read_only
from model.trace.attention_shape import layers_of
from model.trace.trace import AttentionKind, Floats

MOST = 4_000_000
"""Positions of a layer that are computed again at most, in all."""

_CHUNK = 6 << 20  # bytes of the feed-forward network's inner numbers at a time


def zeroing_of(question: ZeroingOf, asked: Asked) -> Iterator[tuple[int, int] | Zeroing]:
    """Value zeroing of every layer; yields progress (done, total), and last the answer.

    Raises:
        HeadscopeError: it would take too long (`zeroing_long`), nothing turns an output, numbers overflow; or
            the model is not our own.
    """
    a = asked.bundle.config.architecture
    source, steps = len(asked.reading.src_ids), len(asked.reading.out_ids)
    again = a.encoder_layers * source * source + a.decoder_layers * steps * (steps + source)
    if again > MOST:
        values = {"count": f"{again / 1e6:.1f}", "limit": MOST // 1_000_000}
        raise HeadscopeError("zeroing_long", source=source, steps=steps, **values)
    passes = read_through(asked)
    while True:
        try:
            next(passes)
        except StopIteration as stop:
            reader, encoder, decoder = stop.value
            break
        yield 0, again
    done = 0
    found: dict[AttentionKind, list[Floats]] = {kind: [] for kind in AttentionKind}
    for site in sites_of(reader, encoder, decoder):
        block, columns = block_of(reader, site), []
        queries, keys = block.used.shape[1:]
        together = max(1, _CHUNK // (4 * max(1, queries) * max(a.d_ff_of("encoder"), a.d_ff_of("decoder"))))
        for first in range(0, keys, together):
            columns.append(_turned(reader, site, block, slice(first, min(keys, first + together))))
            done += queries * columns[-1].shape[1]
            yield done, again
        found[site.kind].append(plain(_normalised(site, torch.cat(columns, 1))))
    shapes = {
        AttentionKind.ENCODER_SELF: (source, source),
        AttentionKind.DECODER_SELF: (steps, steps),
        AttentionKind.CROSS: (steps, source),
    }
    yield Zeroing(
        {
            kind: read_only(np.stack(found[kind]))
            if found[kind]
            else read_only(np.zeros((layers_of(a, kind), *shape), np.float32))
            for kind, shape in shapes.items()
        }
    )


@torch.inference_mode()
def _turned(reader: Reader, site: Site, block: Block, keys: slice) -> Tensor:
    """[Q, k] 1 - cos of the layer's outputs with and without each key's values."""
    one = site.sublayer
    whole = _rest(reader, site, one.output[None])[0].double()
    without = one.output[None].double() - block.mixed_of(keys).movedim(1, 0)  # [k, Q, d]
    turned = _rest(reader, site, without.to(one.output.dtype)).double()
    difference = F.normalize(turned, dim=-1) - F.normalize(whole, dim=-1)
    return difference.square().sum(-1).t() / 2


def _rest(reader: Reader, site: Site, output: Tensor) -> Tensor:
    """[k, Q, d] what leaves the layer where an attention's own output is another [k, Q, d]."""
    one = site.sublayer
    layer = reader.layer("source" if site.kind is AttentionKind.ENCODER_SELF else "target", one.layer)
    x = layer.residual(one.before, one.norm, lambda y: output)
    if not isinstance(layer, DecoderLayer):
        return layer.residual(x, layer.norm2, layer.feed_forward)
    if site.kind is AttentionKind.DECODER_SELF:
        assert site.read is not None
        cross, mask = layer.multihead_attn, reader.mask(AttentionKind.CROSS)
        stored = cross.project_memory(site.read[None])

        def tap(at: AttentionSite, pattern: Tensor) -> Tensor:
            return reader.altering.used(at, pattern, 0)

        x = layer.residual(x, layer.norm2, lambda y: cross.attend(cross.project_query(y), *stored, mask, tap))
    return layer.residual(x, layer.norm3, layer.feed_forward)


def _normalised(site: Site, rows: Tensor) -> Tensor:
    """Rows that sum to 1; `HeadscopeError` (`zeroing_none`) where no token's values change an output."""
    total = rows.sum(-1, keepdim=True)
    if not bool((total > 0).all()):
        token = int((total[:, 0] > 0).logical_not().nonzero()[0, 0]) + 1
        raise HeadscopeError("zeroing_none", kind=str(site.kind), layer=site.sublayer.layer + 1, token=token)
    return rows / total
