"""Reading of a source and its translation, all sub-layers kept: a walk over the model's own modules.

It calls what `transformer.Transformer` calls, sub-layer by sub-layer, which stays as quick as it is.
Patterns are not kept, they are worked out again from what enters a head.

Shapes: n tokens of a stack (S source tokens, T steps), d d_model.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import torch
from torch import Tensor

from model.bundle.bundle import Bundle
from model.decoding.altering import Altering
from model.errors import HeadscopeError
from model.network.attention import MultiHeadAttention, Tap
from model.network.copying import PointerTap
from model.network.layers import DecoderLayer, EncoderLayer
from model.network.masks import AttentionMask, causal_mask
from model.network.norms import Norm
from model.network.relative_positions import Spots
from model.questions.questions import Reading
from model.trace.trace import AttentionKind, Side

SublayerName = Literal["self_attention", "cross", "feed_forward"]


@dataclass(frozen=True, eq=False)
class Sublayer:
    """A sub-layer with the residual connection and the norm around it, as computed for n positions.

    Attributes:
        norm: before the sub-layer in pre-norm, else after the residual sum.
        before: [n, d] what enters, on the residual stream.
        output: [n, d] what the sub-layer itself computes.
    """

    name: SublayerName
    layer: int
    norm: Norm
    pre_norm: bool
    before: Tensor
    output: Tensor

    @property
    def reads(self) -> Tensor:
        """[n, d] what the sub-layer works on."""
        return self.norm.of(self.before) if self.pre_norm else self.before

    @property
    def total(self) -> Tensor:
        """[n, d] the residual sum."""
        return self.before + self.output

    @property
    def after(self) -> Tensor:
        """[n, d] what the next sub-layer gets."""
        return self.total if self.pre_norm else self.norm.of(self.total)

    def at(self, position: int) -> Sublayer:
        """The same for one position, [1, d]."""
        rows = slice(position, position + 1)
        return replace(self, before=self.before[rows], output=self.output[rows])


class Embedded(NamedTuple):
    """What enters a stack and what it is made of, [n, d] each: `total` = `token` (scaled) + `position`."""

    token: Tensor
    position: Tensor
    total: Tensor


class Reader:
    """A model about to read a `Reading`: ids, masks and alterations, and each layer as a function.

    Grad modes are the caller's: nothing here enters or leaves one.

    Attributes:
        source_ids, target_ids: int64 [S] and [T], as they are read.
        out_ids: what is produced.

    Raises:
        HeadscopeError: there is no source, a token does not exist, a text is longer than the model reads, or
            the model or the sentence has no place for an alteration.
    """

    def __init__(self, bundle: Bundle, reading: Reading) -> None:
        self.bundle = bundle
        self.reading = reading
        self.transformer = bundle.transformer
        self.out_ids = reading.out_ids
        a = self.architecture = bundle.config.architecture
        if not reading.src_ids:
            raise HeadscopeError("empty_text")
        check_ids(reading.src_ids, a.source_vocab)
        check_ids(reading.out_ids, a.target_vocab)
        weight = self.transformer.source_embedding.weight
        self._device, self._dtype = weight.device, weight.dtype
        self.altering = Altering(
            reading.alterations, a, source_length=len(reading.src_ids), device=self._device
        )
        check_ids(reading.in_ids, a.target_vocab)
        target_in = [bundle.target_tokenizer.start_id, *reading.out_ids][: len(reading.out_ids)]
        if a.in_rounds and len(reading.in_ids) != len(reading.out_ids):
            raise HeadscopeError("writes_in_rounds")
        if a.in_rounds:
            target_in = list(reading.in_ids)
        self.source_ids = torch.tensor(reading.src_ids, dtype=torch.int64, device=self._device)
        self.target_ids = torch.tensor(target_in, dtype=torch.int64, device=self._device)
        for ids in (self.source_ids, self.target_ids):
            self.transformer.positions.check_length(len(ids))
        self._masks: dict[AttentionKind, AttentionMask | None] = {}
        self._spots = {
            AttentionKind.ENCODER_SELF: self.transformer.spots(
                len(self.source_ids), self.altering.source_positions
            ),
            AttentionKind.DECODER_SELF: self.transformer.spots(
                len(self.target_ids), self.altering.target_positions(0, len(self.target_ids))
            ),
        }

    @property
    def scale(self) -> float:
        """What embeddings are multiplied by."""
        return math.sqrt(self.architecture.d_model) if self.architecture.scale_embedding else 1.0

    def require_steps(self) -> None:
        """Raise `HeadscopeError` (`inspection_nothing`) when there is nothing for the decoder to read."""
        if not self.out_ids:
            raise HeadscopeError("inspection_nothing")

    def tokens(self, side: Side) -> tuple[str, ...]:
        """Raw pieces that a stack reads."""
        tokenizer = self.bundle.source_tokenizer if side == "source" else self.bundle.target_tokenizer
        ids = self.source_ids if side == "source" else self.target_ids
        return tuple(tokenizer.piece(token) for token in ids.tolist())

    def embed(self, side: Side) -> Embedded:
        """What enters a stack."""
        source = side == "source"
        model, ids = self.transformer, self.source_ids if source else self.target_ids
        altered = self.altering.source_positions if source else self.altering.target_positions(0, len(ids))
        token = (model.source_embedding if source else model.target_embedding)(ids)
        if self.architecture.scale_embedding:
            token = token * self.scale
        position = model.positions(
            torch.zeros_like(token)[None], slice(0, len(ids)) if altered is None else altered
        )[0]
        return Embedded(token, position, token + position)

    def allowed(self, kind: AttentionKind) -> Tensor | None:
        """bool, broadcasts to [queries, keys]: where attention is allowed; None where it is everywhere."""
        if kind is AttentionKind.DECODER_SELF:
            if self.architecture.in_rounds:
                return None
            steps = len(self.target_ids)
            return causal_mask(steps, steps, self._device)
        return self.altering.source_mask

    def mask(self, kind: AttentionKind) -> AttentionMask | None:
        """The same as it is added to scores."""
        if kind not in self._masks:
            allowed = self.allowed(kind)
            self._masks[kind] = (
                None if allowed is None else AttentionMask.of(allowed[None, None], self._dtype)
            )
        return self._masks[kind]

    def spots(self, kind: AttentionKind) -> Spots | None:
        """Where queries and keys stand, for positions that act in the attention of a kind."""
        return self._spots.get(kind)

    def encoder_layer(self, index: int, x: Tensor, tap: Tap | None) -> tuple[Sublayer, Sublayer]:
        """A layer's sub-layers from what enters it, x [S, d]."""
        layer = self._encoder_layer(index)
        attention, mask = layer.self_attn, self.mask(AttentionKind.ENCODER_SELF)
        spots = self.spots(AttentionKind.ENCODER_SELF)
        first = _passed(
            "self_attention",
            index,
            layer,
            layer.norm1,
            x,
            lambda y: attention.attend(*attention.project_self(y, spots), mask, tap, spots),
        )
        return first, _passed("feed_forward", index, layer, layer.norm2, first.after, layer.feed_forward)

    def decoder_layer(
        self, index: int, x: Tensor, memory: Tensor, tap: Tap | None
    ) -> tuple[Sublayer, Sublayer, Sublayer]:
        """A layer's sub-layers from what enters it, x [T, d], and the memory [S, width]."""
        layer = self._decoder_layer(index)
        own, cross = layer.self_attn, layer.multihead_attn
        spots = self.spots(AttentionKind.DECODER_SELF)
        own_mask, cross_mask = self.mask(AttentionKind.DECODER_SELF), self.mask(AttentionKind.CROSS)
        first = _passed(
            "self_attention",
            index,
            layer,
            layer.norm1,
            x,
            lambda y: own.attend(*own.project_self(y, spots), own_mask, tap, spots),
        )
        keys, values = cross.project_memory(self.read_by(memory, index)[None])
        second = _passed(
            "cross",
            index,
            layer,
            layer.norm2,
            first.after,
            lambda y: cross.attend(cross.project_query(y), keys, values, cross_mask, tap),
        )
        return (
            first,
            second,
            _passed("feed_forward", index, layer, layer.norm3, second.after, layer.feed_forward),
        )

    def memory(self, outputs: Sequence[Tensor]) -> Tensor:
        """What the model's decoder takes, [S, ·].

        Args:
            outputs: what enters the encoder's first layer and what leaves each, [S, d].
        """
        stack = self.transformer.encoder
        read = self.transformer.memory_mix.memory_from(
            [output[None] for output in outputs], stack.close, self.altering.read_layer
        )
        return self.transformer.memory_of(read, self.source_ids[None])[0]

    def read_by(self, memory: Tensor, layer: int) -> Tensor:
        """What a decoder layer's cross-attention reads of a memory, [S, d]."""
        return self.transformer.memory_mix.of_layer(self.transformer.output_of(memory), layer)

    def rows(self, last: Sublayer, state: Tensor, memory: Tensor) -> Tensor:
        """[T, ·] what the model projects to the vocabulary.

        Args:
            last: the last decoder layer's first sub-layer; state: [T, d] the decoder's output.
            memory: as of `memory`.
        """
        if not self.architecture.copying:
            return state
        kept = PointerTap(self.altering.tap if self.altering else None)
        self.decoder_layer(last.layer, last.before, memory, kept)
        entered = self.embed("target").total
        return self.transformer.rows_of(state[None], entered[None], memory[None], kept.pattern)[0]

    def attention(self, kind: AttentionKind, layer: int) -> MultiHeadAttention:
        """The attention module of a kind and layer."""
        if kind is AttentionKind.ENCODER_SELF:
            return self._encoder_layer(layer).self_attn
        decoder = self._decoder_layer(layer)
        return decoder.self_attn if kind is AttentionKind.DECODER_SELF else decoder.multihead_attn

    def layer(self, side: Side, index: int) -> EncoderLayer | DecoderLayer:
        """A layer of a stack."""
        return self._encoder_layer(index) if side == "source" else self._decoder_layer(index)

    def close(self, side: Side, x: Tensor) -> Tensor:
        """A stack's output from its last layer's."""
        stack = self.transformer.encoder if side == "source" else self.transformer.decoder
        return stack.close(x)

    def _encoder_layer(self, index: int) -> EncoderLayer:
        layer = self.transformer.encoder.layers[index]
        assert isinstance(layer, EncoderLayer)
        return layer

    def _decoder_layer(self, index: int) -> DecoderLayer:
        layer = self.transformer.decoder.layers[index]
        assert isinstance(layer, DecoderLayer)
        return layer


def _passed(
    name: SublayerName,
    index: int,
    layer: EncoderLayer | DecoderLayer,
    norm: Norm,
    before: Tensor,
    compute: Callable[[Tensor], Tensor],
) -> Sublayer:
    """What a sub-layer makes of `before` [n, d]; `compute` takes and gives [1, n, d]."""
    reads = norm.of(before) if layer.pre_norm else before
    return Sublayer(name, index, norm, layer.pre_norm, before, compute(reads[None])[0])


def check_ids(ids: tuple[int, ...], vocab: int) -> None:
    """Raise `HeadscopeError` (`token_id`) for a token that does not exist."""
    for token_id in ids:
        if not 0 <= token_id < vocab:
            raise HeadscopeError("token_id", id=token_id, vocab=vocab)
