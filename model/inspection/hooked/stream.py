"""Residual stream of a model that `transformers` runs, taken apart; see `model.causes.residual`.

Shapes: P parts, d its width, V words, n rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from model.errors import HeadscopeError
from model.foreign.inside.inside import Inside
from model.inspection.hooked.hooked_norm import HookedNorm
from model.inspection.hooked.hooked_pass import HookedPass
from model.inspection.hooked.readings import HookedReader
from model.inspection.reading import Sublayer
from model.inspection.terms import worked_out
from model.network.attention import AttentionSite
from model.questions.causes.parts import Part
from model.trace.trace import AttentionKind

_SAME = 1e-3
"""How far a reading of the output may be from the model's own, in units of the largest logit."""


class Readout(NamedTuple):
    """What makes logits of what the decoder gives out: logits = W (factor · x) + b.

    Attributes:
        matrix: [V, d] W; bias: [V] b, of the matrix and of whatever is added behind it.
        factor: T5 makes what it reads smaller where the matrix is that of the embeddings.
    """

    matrix: Tensor
    bias: Tensor
    factor: float


def written(reader: HookedReader, found: HookedPass, position: int) -> tuple[list[Part], Tensor]:
    """All that was written to the decoder's stream at a position, float64 [P, d], norms held on the way."""
    parts, vectors = _entering(reader, found, position)
    for sublayer in found.sublayers["target"]:
        more, added = _of_sublayer(reader, found, sublayer, position)
        parts, vectors = [*parts, *more], torch.cat([vectors, added])
        if not sublayer.pre_norm:
            offset = Part("norm", "target", sublayer.name, sublayer.layer)
            parts, vectors = _held(sublayer.norm, sublayer.total[position], offset, parts, vectors)
    closing = _closing(reader.inside)
    if closing is not None:
        row = found.sublayers["target"][-1].after[position]
        parts, vectors = _held(closing, row, Part("norm", "target", "closing"), parts, vectors)
    return parts, vectors


def closed(reader: HookedReader, found: HookedPass) -> Tensor:
    """What the decoder gives out, [T, d]."""
    last, closing = found.sublayers["target"][-1].after, _closing(reader.inside)
    return last if closing is None else closing.of(last)


def readout(reader: HookedReader, found: HookedPass) -> Readout:
    """How logits are made, read off the model at work.

    Raises:
        HeadscopeError: `others_unexplained`: they are made otherwise.
    """
    head: Any = reader.inside.network.get_output_embeddings()
    unknown = HeadscopeError("others_unexplained", name=reader.model.name)
    if not isinstance(head, nn.Linear):
        raise unknown
    given: list[Tensor] = []
    hook = head.register_forward_pre_hook(lambda _, arguments: given.append(arguments[0][0]))
    altering = reader.altering
    try:
        with reader.inside.tapped(altering.tap if altering else None):
            output = reader.inside.run(reader.source_ids, reader.target_ids, altering.source_mask)
    finally:
        hook.remove()
    logits, x, out = output.logits[0].double(), given[0].double(), closed(reader, found).double()
    factor = float((x * out).sum() / out.square().sum())
    matrix = head.weight.double()
    added = logits - x @ matrix.t()
    bias = added.mean(0)
    straight = float((x - factor * out).abs().max()) <= _SAME * float(x.abs().max())
    if not straight or float((added - bias).abs().max()) > _SAME * float(logits.abs().max().clamp(min=1.0)):
        raise unknown
    return Readout(matrix, bias, factor)


def _entering(reader: HookedReader, found: HookedPass, position: int) -> tuple[list[Part], Tensor]:
    """The word, its position where one is added, and what a norm behind them adds."""
    entered = found.entered["target"][position].double()
    summed = found.summed.get("target")
    whole = entered if summed is None else summed[position].double()
    network = reader.inside.network
    stack = network if reader.outline.prompted else network.get_decoder()
    word = stack.get_input_embeddings()(reader.target_ids[:, position])[0].double()
    parts, vectors = [Part("word", "target")], word[None]
    place = whole - word
    if bool(place.any()):
        parts, vectors = [*parts, Part("position", "target")], torch.stack([word, place])
    before = reader.inside.at(reader.inside.stack(AttentionKind.DECODER_SELF).before)
    if before is None or summed is None:
        return parts, vectors
    norm = HookedNorm(before, reader.inside.anatomy.norms)
    return _held(norm, summed[position], Part("norm", "target", "embedding"), parts, vectors)


def _of_sublayer(
    reader: HookedReader, found: HookedPass, sublayer: Sublayer, position: int
) -> tuple[list[Part], Tensor]:
    """What a sub-layer adds: its heads or its network, and the bias of its last matrix."""
    name, layer = sublayer.name, sublayer.layer
    kind = AttentionKind.CROSS if name == "cross" else AttentionKind.DECODER_SELF
    site = AttentionSite(kind, layer)
    if name == "feed_forward":
        parts = reader.inside.stack(kind).parts
        last = reader.inside.module(site, next(part.last for part in parts if part.name == name))
        bias: Tensor | None = getattr(last, "bias", None)
        whole = sublayer.output[position].double()
        own, vectors = [Part("feed_forward", "target", layer=layer)], whole[None]
        if bias is not None:
            vectors = (whole - bias.double())[None]
    else:
        terms = reader.terms_in(found, site)
        vectors = worked_out(terms, reader.altering, site, position).shares
        own = [Part("head", "target", name, layer, head) for head in range(len(vectors))]
        bias = reader.inside.output_bias(site)
    if bias is None:
        return own, vectors
    return [*own, Part("bias", "target", name, layer)], torch.cat([vectors, bias.double()[None]])


def _closing(inside: Inside) -> HookedNorm | None:
    """The norm behind the decoder's last layer."""
    module = inside.at(inside.stack(AttentionKind.DECODER_SELF).closing)
    return None if module is None else HookedNorm(module, inside.anatomy.norms)


def _held(
    norm: Any, row: Tensor, offset: Part, parts: list[Part], vectors: Tensor
) -> tuple[list[Part], Tensor]:
    """All parts after a norm that is held at its statistics of the recorded row [d]."""
    frozen = norm.frozen(row)
    after = frozen.of(vectors)
    if not bool(frozen.offset.any()):
        return parts, after
    return [*parts, offset], torch.cat([after, frozen.offset[None]])
