"""`Decodable`: what decoding needs of a model, our Transformer or another behind an adapter.

Shapes: b batch, S source length, n new target tokens, d width of the hidden states.
"""

from __future__ import annotations

from typing import Any, Protocol, Self

import torch
from torch import Tensor

from model.alterations.outline import Outline
from model.folder.decoding_rules import DecodingRules
from model.network.attention import Tap
from model.tokens.tokenizer import Tokenizer
from model.trace.attention_shape import AttentionShape


class DecoderState(Protocol):
    """What a decoder keeps between steps; `model.network.cache.DecoderCache` is one."""

    @property
    def length(self) -> int:
        """Number of target positions held."""

    def truncate(self, length: int) -> None:
        """Forget every position from `length` on."""

    def select(self, rows: Tensor) -> None:
        """Keep the sequences `rows` (int64 [new batch]) in that order; a row may repeat."""

    def fork(self, length: int | None = None) -> Self:
        """An independent copy of the first `length` positions, by default all."""


class Decodable(Protocol):
    """A network that is decoded step by step while taps see its patterns; `network.transformer` has one."""

    @property
    def attention_shape(self) -> AttentionShape:
        """Layers and heads."""

    @property
    def target_vocab(self) -> int:
        """Number of logits."""

    @property
    def device(self) -> torch.device:
        """Where ids are to be."""

    @property
    def dtype(self) -> torch.dtype:
        """What it computes in."""

    def encode(
        self,
        source: Tensor,
        *,
        key_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        tap: Tap | None = None,
        read_layer: int | None = None,
    ) -> Tensor:
        """Memory [b, S, d] of source ids [b, S]; never called of a model without an encoder.

        Args:
            read_layer: see `model.alterations.read_layer.ReadLayer`.
        """

    def start_cache(
        self, memory: Any, *, memory_mask: Tensor | None = None, batch: int | None = None
    ) -> DecoderState:
        """An empty state for decoding from memory [b, S, d]; None for a model without an encoder."""

    def decode_step(
        self,
        target_in: Tensor,
        cache: Any,
        *,
        position_ids: Tensor | None = None,
        tap: Tap | None = None,
    ) -> Tensor:
        """Hidden states [b, n, d] of the next n target inputs [b, n]; the state, its own, grows by n.

        The tap sees each layer's self-attention [b, heads, n, keys so far], then its cross-attention.
        """

    def project(self, hidden: Tensor) -> Tensor:
        """Logits [..., target_vocab] of hidden states [..., d]."""

    def copy_shares(self, hidden: Tensor) -> Tensor | None:
        """[...] how much of the next token is copied from the source; None of a model that copies nothing."""


class DecodingModel(Protocol):
    """A network with its tokenizers, to make traces with. `model.bundle.bundle.Bundle` is one."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def sha256(self) -> str:
        """Of its weights' bytes, in hexadecimal."""

    @property
    def verified(self) -> bool:
        """Whether the pictures of its architecture are proven."""

    @property
    def transformer(self) -> Decodable:
        """The network."""

    @property
    def source_tokenizer(self) -> Tokenizer:
        """Of what is read: the encoder's, or of prompts."""

    @property
    def target_tokenizer(self) -> Tokenizer:
        """Of what is produced."""

    @property
    def rules(self) -> DecodingRules:
        """What narrows the choice of tokens."""

    @property
    def outline(self) -> Outline | None:
        """What there is to be changed in its computation; None where nothing can be."""

    @property
    def source_limit(self) -> int:
        """Most tokens that it can read, specials included."""

    @property
    def target_limit(self) -> int:
        """Most target positions (of a model without an encoder: prompt and continuation together)."""
