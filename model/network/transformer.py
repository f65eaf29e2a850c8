"""`Transformer`: encoder and decoder of "Attention Is All You Need", batch first.

The state's names, shapes and orientation are those of `torch.nn.Transformer`, plus `source_embedding.weight`,
`target_embedding.weight`, `output.weight`, `output.bias`, `positions.weight`, `length.weight` and
`length.bias`.

Shapes: b batch, S source length, T target length, d d_model.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, overload

import torch
from torch import Tensor, nn

from model.config import Architecture
from model.errors import HeadscopeError
from model.network.attention import MultiHeadAttention, Tap
from model.network.cache import DecoderCache, empty_layer
from model.network.dropout import Dropout
from model.network.embeddings import PositionalEncoding
from model.network.layers import DecoderLayer, EncoderLayer
from model.network.lengths import LengthPredictor
from model.network.linear import clear_packed, column_major, linear
from model.network.masks import AttentionMask, causal_mask
from model.trace.attention_shape import AttentionShape


class _Stack(nn.Module):
    """Layers and, in pre-norm, the norm that closes them."""

    norm: nn.LayerNorm | None

    def __init__(self, layers: list[nn.Module], architecture: Architecture) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        closing = architecture.norm == "pre_norm"
        self.norm = nn.LayerNorm(architecture.d_model, eps=architecture.norm_eps) if closing else None

    def close(self, x: Tensor) -> Tensor:
        """The stack's output from its last layer's."""
        return x if self.norm is None else self.norm(x)


class Transformer(nn.Module):
    """Reads source ids, predicts target ids.

    Weights start Xavier-uniform, embeddings normal with deviation d^-0.5, from `generator` when given.
    """

    def __init__(self, architecture: Architecture, generator: torch.Generator | None = None) -> None:
        super().__init__()
        a = self.architecture = architecture
        self.source_embedding = nn.Embedding(a.source_vocab, a.d_model)
        self.target_embedding = nn.Embedding(a.target_vocab, a.d_model)
        self.output = nn.Linear(a.d_model, a.target_vocab, bias=a.output_bias)
        if a.tie_embeddings == "all":
            self.target_embedding.weight = self.source_embedding.weight
        if a.tie_embeddings != "none":
            self.output.weight = self.target_embedding.weight
        self.positions = PositionalEncoding(a)
        self.dropout = Dropout(a.dropout)
        self.encoder = _Stack([EncoderLayer(a, i) for i in range(a.encoder_layers)], a)
        self.decoder = _Stack([DecoderLayer(a, i) for i in range(a.decoder_layers)], a)
        self.length = LengthPredictor(a) if a.in_rounds else None
        self.reset_parameters(generator)

    @torch.no_grad()
    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw every weight anew; biases become 0, norms the identity."""
        embeddings = {self.source_embedding.weight, self.target_embedding.weight, self.positions.weight}
        for name, parameter in self.named_parameters():
            if parameter in embeddings:
                parameter.normal_(0.0, self.architecture.d_model**-0.5, generator=generator)
            elif parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter, generator=generator)
            else:
                parameter.fill_(1.0 if name.endswith("weight") else 0.0)

    @property
    def attention_shape(self) -> AttentionShape:
        """Layers and heads of both stacks."""
        a = self.architecture
        return AttentionShape(
            a.encoder_layers, a.n_heads, a.decoder_layers, a.n_heads, cross=True, causal=not a.in_rounds
        )

    @property
    def target_vocab(self) -> int:
        """Number of logits."""
        return self.architecture.target_vocab

    @property
    def device(self) -> torch.device:
        """Where its weights are."""
        return self.source_embedding.weight.device

    @property
    def dtype(self) -> torch.dtype:
        """What its weights are."""
        return self.source_embedding.weight.dtype

    # embedding

    def _embed(
        self, embedding: nn.Embedding, ids: Tensor, position_ids: Tensor | None, start: int = 0
    ) -> Tensor:
        """[b, n, d] of ids [b, n]; raises `HeadscopeError` for more tokens than the model has positions."""
        self.positions.check_length(start + ids.shape[1])
        where = slice(start, start + ids.shape[1]) if position_ids is None else position_ids
        x = embedding(ids)
        if self.architecture.scale_embedding:
            x = x * math.sqrt(self.architecture.d_model)
        result: Tensor = self.dropout(self.positions(x, where))
        return result

    # encoder

    @overload
    def encode(
        self,
        source: Tensor,
        *,
        key_mask: Tensor | None = ...,
        position_ids: Tensor | None = ...,
        tap: Tap | None = ...,
        every_layer: Literal[False] = ...,
    ) -> Tensor: ...

    @overload
    def encode(
        self,
        source: Tensor,
        *,
        key_mask: Tensor | None = ...,
        position_ids: Tensor | None = ...,
        tap: Tap | None = ...,
        every_layer: Literal[True],
    ) -> list[Tensor]: ...

    def encode(
        self,
        source: Tensor,
        *,
        key_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        tap: Tap | None = None,
        every_layer: bool = False,
    ) -> Tensor | list[Tensor]:
        """Memory [b, S, d] of source ids [b, S].

        Args:
            key_mask: bool [b, S], True where the token may be attended to (False for padding).
            position_ids: [S] or [b, S]; 0, 1, 2, ... when absent.
            tap: see `model.network.attention.Tap`.
            every_layer: return the embedding sum and each layer's output instead, encoder_layers + 1
                tensors; the last one is the memory.
        """
        x = self._embed(self.source_embedding, source, position_ids)
        mask = None if key_mask is None else AttentionMask.of(key_mask[:, None, None], self._score_dtype())
        outputs = [x]
        for layer in self.encoder.layers:
            x = layer(x, mask, tap)
            outputs.append(x)
        outputs[-1] = self.encoder.close(x)
        return outputs if every_layer else outputs[-1]

    # decoder

    def memory_keys(self, memory: Tensor) -> list[tuple[Tensor, Tensor]]:
        """Each decoder layer's cross-attention keys and values of memory [b, S, d]."""
        return [_cross(layer).project_memory(memory) for layer in self.decoder.layers]

    def decode(
        self,
        target_in: Tensor,
        memory: Tensor,
        *,
        memory_mask: Tensor | None = None,
        key_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        tap: Tap | None = None,
    ) -> Tensor:
        """Hidden states [b, T, d] of all target inputs [b, T] at once (teacher forcing).

        They are causally masked, but in a model that writes in rounds.

        Args:
            memory_mask: bool [b, S], as `key_mask` of `encode`.
            key_mask: bool [b, T], True where a target position may be attended to.
        """
        x = self._embed(self.target_embedding, target_in, position_ids)
        dtype = self._score_dtype()
        allowed = self._allowed(target_in.shape[1], key_mask)
        self_mask = None if allowed is None else AttentionMask.of(allowed, dtype)
        cross_mask = None if memory_mask is None else AttentionMask.of(memory_mask[:, None, None], dtype)
        for layer in self.decoder.layers:
            x = layer(x, _cross(layer).project_memory(memory), self_mask, cross_mask, tap)
        return self.decoder.close(x)

    def _allowed(self, steps: int, key_mask: Tensor | None) -> Tensor | None:
        """Where target positions may attend to, bool, broadcasts to [b, 1, T, T]; None for everywhere."""
        if self.architecture.in_rounds:
            return None if key_mask is None else key_mask[:, None, None]
        allowed = causal_mask(steps, steps, self.device)[None, None]
        return allowed if key_mask is None else allowed & key_mask[:, None, None]

    def require_left_to_right(self) -> None:
        """Raise `HeadscopeError` (`writes_in_rounds`) for a model that does not write token after token."""
        if self.architecture.in_rounds:
            raise HeadscopeError("writes_in_rounds")

    def start_cache(
        self,
        memory: Tensor,
        *,
        memory_mask: Tensor | None = None,
        batch: int | None = None,
        capacity: int = 64,
    ) -> DecoderCache:
        """An empty cache for decoding from memory [b, S, d].

        Args:
            batch: number of sequences when it is more than b = 1 (beams of one sentence share its memory).
            capacity: positions allocated at once; it grows when exceeded.

        Raises:
            HeadscopeError: `writes_in_rounds`.
        """
        self.require_left_to_right()
        a = self.architecture
        rows = batch if batch is not None else memory.shape[0]
        mask = None
        if memory_mask is not None:
            mask = AttentionMask.of(memory_mask[:, None, None], self._score_dtype())
        layers = [
            empty_layer(rows, a.n_heads, capacity, a.d_model // a.n_heads, memory)
            for _ in self.decoder.layers
        ]
        return DecoderCache(layers, self.memory_keys(memory), mask)

    def decode_step(
        self,
        target_in: Tensor,
        cache: DecoderCache,
        *,
        key_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        tap: Tap | None = None,
    ) -> Tensor:
        """Hidden states [b, n, d] of the next n target inputs [b, n]; the cache grows by n.

        Patterns seen by `tap` have the n new queries and all keys so far.

        Args:
            key_mask: bool [b, length + n], True where a target position may be attended to.
        """
        n, start = target_in.shape[1], cache.length
        x = self._embed(self.target_embedding, target_in, position_ids, start)
        self_mask = None
        if n > 1 or key_mask is not None:
            allowed = causal_mask(n, start + n, x.device)[None, None]
            allowed = allowed if key_mask is None else allowed & key_mask[:, None, None]
            self_mask = AttentionMask.of(allowed, self._score_dtype())
        for layer, memory, own in zip(self.decoder.layers, cache.memory, cache.layers):
            x = layer(x, memory, self_mask, cache.memory_mask, tap, own)
        return self.decoder.close(x)

    def project(self, hidden: Tensor) -> Tensor:
        """Logits [..., target_vocab] of hidden states [..., d]."""
        return linear(hidden, self.output.weight, self.output.bias)

    # whole

    def forward(
        self,
        source: Tensor,
        target_in: Tensor,
        *,
        source_mask: Tensor | None = None,
        target_mask: Tensor | None = None,
        see_memory: Callable[[Tensor], object] | None = None,
        tap: Tap | None = None,
    ) -> Tensor:
        """Hidden states [b, T, d] of a padded batch.

        Args:
            target_mask: as `key_mask` of `decode`; under a causal mask padding on the right needs none.
            see_memory: is shown the encoder's output.
        """
        memory = self.encode(source, key_mask=source_mask, tap=tap)
        if see_memory is not None:
            see_memory(memory)
        return self.decode(target_in, memory, memory_mask=source_mask, key_mask=target_mask, tap=tap)

    def _score_dtype(self) -> torch.dtype:
        if torch.is_autocast_enabled(self.source_embedding.weight.device.type):
            return torch.get_autocast_dtype(self.source_embedding.weight.device.type)
        return self.source_embedding.weight.dtype

    def decoding_matrices(self) -> list[Tensor]:
        """Those that each step of decoding multiplies by: the decoder's, and the output's.

        The encoder's are used once a sentence, with all its rows: in this layout they would be packed for it
        (see `model.network.linear`), and the packed copies cost as much memory as they do themselves.
        """
        layers: list[Tensor] = list(self.decoder.parameters())
        return [p for p in layers if p.dim() == 2] + [self.output.weight]

    @torch.no_grad()
    def lay_out_for_decoding(self) -> None:
        """Store each matrix of the decoder and the output column by column, in place; see `network.linear`.

        With one sentence a step reads every weight once and the product runs at the speed of memory;
        in this layout it streams about twice as fast on a CPU. Shapes and values stay the same. To be called
        again after weights have changed. A matrix that lies so already is not moved.
        """
        for matrix in self.decoding_matrices():
            matrix.data = column_major(matrix.data)
            clear_packed(matrix)
        for layer in self.decoder.layers:
            _cross(layer).lay_out_queries()


def _cross(layer: nn.Module) -> MultiHeadAttention:
    assert isinstance(layer, DecoderLayer)
    return layer.multihead_attn
