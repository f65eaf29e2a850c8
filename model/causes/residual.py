"""Residual stream taken apart: what embedding, heads, feed-forward networks and constants add to it.

A stream is the sum of what was written to it. Each norm on the way is held at the deviation that it had of
the recorded row (as in direct logit attribution, Elhage et al. 2021, "A Mathematical Framework for
Transformer Circuits"): it is then an affine map, which multiplies every summand and adds its own offset as
one more. In post-norm every norm stands on the stream itself, so that all that was written before it is
carried through; in pre-norm it stands before a sub-layer and at the stack's end, and the stream below it is
left as it is.

One position at a time: at other positions a stream matters only through what heads read there, which is
recorded. Everything is float64 from the recorded float32 rows.

Shapes: P parts, d d_model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from model.inspection.arithmetic import head_shares, inputs_of
from model.inspection.reading import Reader, Sublayer
from model.inspection.readings import StackPass
from model.network.norms import Norm
from model.questions.causes.parts import Part
from model.trace.trace import AttentionKind, Side


class Parts(NamedTuple):
    """A stream's row as a sum.

    Attributes:
        names: what each is; none comes twice.
        vectors: [P, d], float64.
    """

    names: tuple[Part, ...]
    vectors: Tensor

    def plus(self, names: Sequence[Part], vectors: Tensor) -> Parts:
        """With further parts [p, d]."""
        return Parts((*self.names, *names), torch.cat([self.vectors, vectors.double()]))

    def through(self, norm: Norm, row: Tensor, offset: Part) -> Parts:
        """After a norm that is held at its statistics of the recorded row [d]; it adds a part of its own."""
        frozen = norm.frozen(row)
        return Parts(self.names, frozen.of(self.vectors)).plus([offset], frozen.offset[None])


def entering(reader: Reader, side: Side, position: int) -> Parts:
    """What enters a stack: the word, and its position where that is added."""
    embedded = reader.embed(side)
    word = Parts((Part("word", side),), embedded.token[position : position + 1].double())
    if reader.transformer.positions.rows() is None:
        return word
    return word.plus([Part("position", side)], embedded.position[position : position + 1])


def stages(reader: Reader, passed: StackPass, position: int, upto: int) -> list[Parts]:
    """The stream at a position: as it enters the stack, and after each of the first `upto` sub-layers."""
    found = [entering(reader, passed.side, position)]
    for sublayer in passed.sublayers[:upto]:
        found.append(_after(reader, passed, sublayer, position, found[-1]))
    return found


def read_by(reader: Reader, passed: StackPass, position: int, sublayer: int) -> Parts:
    """What a sub-layer works on at a position.

    Args:
        sublayer: its place among those of the stack.
    """
    stream = stages(reader, passed, position, sublayer)[-1]
    own = passed.sublayers[sublayer]
    if not own.pre_norm:
        return stream
    return stream.through(own.norm, own.before[position], _norm(passed.side, own))


def leaving(reader: Reader, passed: StackPass, position: int) -> Parts:
    """What a stack gives out at a position."""
    stream = stages(reader, passed, position, len(passed.sublayers))[-1]
    return _closed(reader, passed.side, stream, passed.sublayers[-1].after[position])


def memory_read(reader: Reader, source: StackPass, position: int, layer: int) -> Parts:
    """What a decoder layer's cross-attention reads of the encoder at a position, however it is wired."""
    every = stages(reader, source, position, len(source.sublayers))[::2]  # a layer has two sub-layers
    weights = reader.transformer.memory_mix.shares()[layer].double()
    named: dict[Part, Tensor] = {}
    row = torch.zeros_like(every[0].vectors[0])
    for weight, stream, end in zip(weights, every, source.ends, strict=True):
        if not weight:
            continue
        row = row + weight * end[position]
        for name, vector in zip(stream.names, stream.vectors, strict=True):
            named[name] = named.get(name, 0.0) + weight * vector
    mixed = Parts(tuple(named), torch.stack(list(named.values())))
    return _closed(reader, "source", mixed, row)


def _closed(reader: Reader, side: Side, stream: Parts, row: Tensor) -> Parts:
    """Through the norm that closes a stack, where there is one."""
    stack = reader.transformer.encoder if side == "source" else reader.transformer.decoder
    return stream if stack.norm is None else stream.through(stack.norm, row, Part("norm", side, "closing"))


def _after(reader: Reader, passed: StackPass, sublayer: Sublayer, position: int, stream: Parts) -> Parts:
    """The stream after a sub-layer, of that before it."""
    stream = stream.plus(*_written(reader, passed, sublayer, position))
    if sublayer.pre_norm:
        return stream
    return stream.through(sublayer.norm, sublayer.total[position], _norm(passed.side, sublayer))


def _written(
    reader: Reader, passed: StackPass, sublayer: Sublayer, position: int
) -> tuple[list[Part], Tensor]:
    """What a sub-layer adds to the stream: its heads or its network, and its bias where it has one."""
    side, name, layer = passed.side, sublayer.name, sublayer.layer
    if name == "feed_forward":
        constant = reader.layer(side, layer).linear2.bias.double()
        written = sublayer.output[position].double() - constant
        network = Part("feed_forward", side, layer=layer)
        return [network, Part("bias", side, name, layer)], torch.stack([written, constant])
    kind = AttentionKind.CROSS if name == "cross" else _own_kind(side)
    shares = head_shares(reader, kind, layer, position, inputs_of(passed, reader, kind, layer))
    heads = [Part("head", side, name, layer, head) for head in range(len(shares))]
    bias: Tensor | None = reader.attention(kind, layer).out_proj.bias
    if bias is None:
        return heads, shares
    return [*heads, Part("bias", side, name, layer)], torch.cat([shares, bias.double()[None]])


def _own_kind(side: Side) -> AttentionKind:
    return AttentionKind.ENCODER_SELF if side == "source" else AttentionKind.DECODER_SELF


def _norm(side: Side, sublayer: Sublayer) -> Part:
    return Part("norm", side, sublayer.name, sublayer.layer)
