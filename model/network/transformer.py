"""`Transformer`: encoder and decoder of "Attention Is All You Need", batch first.

The state's names, shapes and orientation are those of `torch.nn.Transformer`, plus `source_embedding.weight`,
`target_embedding.weight`, `output.weight`, `output.bias`, `positions.weight`, `memory_mix.weight`,
`copy_gate.weight`, `copy_gate.bias`, `length.weight` and `length.bias`.

Shapes: b batch, S source length, T target length, d d_model.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Literal, overload

import torch
from torch import Tensor, nn

from model.config import Architecture, OutputStart
from model.errors import HeadscopeError
from model.network.attention import MultiHeadAttention, Tap
from model.network.cache import DecoderCache, empty_layer
from model.network.copying import PointerTap, copy_parts, copy_rows, copy_shares, mixed, with_ids
from model.network.dropout import Dropout
from model.network.embeddings import PositionalEncoding
from model.network.first_weights import draw_weights
from model.network.layers import DecoderLayer, EncoderLayer
from model.network.lengths import LengthPredictor
from model.network.linear import linear
from model.network.masks import AttentionMask, causal_mask
from model.network.norms import BatchNorm, LayerNorm, norm_of
from model.network.one_row import row_step
from model.network.products.choices import choose
from model.network.products.many import many_way
from model.network.products.prepared import can_be_prepared, prepare, prepare_many, release
from model.network.products.room import Room, lies_in_room
from model.network.products.ways import seem_halves
from model.network.relative_positions import Spots, spots_of
from model.network.wiring import WIRINGS
from model.trace.attention_shape import AttentionShape


class _Stack(nn.Module):
    """Layers and, in pre-norm, the norm that closes them."""

    norm: LayerNorm | BatchNorm | None

    def __init__(self, layers: list[nn.Module], architecture: Architecture) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        closing = architecture.norm == "pre_norm"
        self.norm = norm_of(architecture) if closing else None

    def close(self, x: Tensor, real: Tensor | None = None) -> Tensor:
        """The stack's output from its last layer's; `real`: see `Norm.of`."""
        return x if self.norm is None else self.norm.of(x, real)


class Transformer(nn.Module):
    """Reads source ids, predicts target ids.

    See `draw_weights` for `generator` and `start`.
    """

    def __init__(
        self,
        architecture: Architecture,
        generator: torch.Generator | None = None,
        start: OutputStart = "unit",
    ) -> None:
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
        self._relative = a.positions in ("relative", "rotary", "alibi")
        self.dropout = Dropout(a.dropout)
        self.encoder = _Stack([EncoderLayer(a, i) for i in range(a.encoder_layers)], a)
        self.decoder = _Stack([DecoderLayer(a, i) for i in range(a.decoder_layers)], a)
        self.memory_mix = WIRINGS[a.wiring](a)
        self.copy_gate = nn.Linear(3 * a.d_model, 1) if a.copying else None
        self.length = LengthPredictor(a) if a.in_rounds else None
        tables = (self.source_embedding.weight, self.target_embedding.weight, self.positions.weight)
        embeddings = {table for table in tables if table is not None}
        draw_weights(self.named_parameters(), embeddings, self.output.weight, a, generator, start)

    def statistics(self) -> Iterator[tuple[str, Tensor]]:
        """What its norms keep that is not trained, by name; live, and nothing with LayerNorm."""
        for path, module in self.named_modules():
            if isinstance(module, LayerNorm | BatchNorm):
                for name, statistic in module.statistics().items():
                    yield f"{path}.{name}", statistic

    def stored(self) -> Iterator[tuple[str, Tensor]]:
        """All that a bundle keeps, by name: the weights, tied ones under the first one, and `statistics`."""
        yield from self.named_parameters()
        yield from self.statistics()

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
        self,
        embedding: nn.Embedding,
        ids: Tensor,
        position_ids: Tensor | None,
        start: int = 0,
        spoken: Tensor | None = None,
    ) -> Tensor:
        """[b, n, d] of ids [b, n]; raises `HeadscopeError` for more tokens than the model has positions."""
        self.positions.check_length(start + ids.shape[1])
        where = slice(start, start + ids.shape[1]) if position_ids is None else position_ids
        x = embedding(ids)
        if self.architecture.scale_embedding:
            x = x * math.sqrt(self.architecture.d_model)
        if spoken is not None:
            x = x * spoken[..., None]
        result: Tensor = self.dropout(self.positions(x, where))
        return result

    def spots(
        self, count: int, position_ids: Tensor | None, start: int = 0, earlier: Tensor | None = None
    ) -> Spots | None:
        """Where tokens stand, for positions that act in attention; see `spots_of`. None where none do."""
        if not self._relative:
            return None
        return spots_of(position_ids, start, count, self.device, earlier)

    # encoder

    @overload
    def encode(
        self,
        source: Tensor,
        *,
        key_mask: Tensor | None = ...,
        position_ids: Tensor | None = ...,
        tap: Tap | None = ...,
        read_layer: int | None = ...,
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
        read_layer: int | None = ...,
        every_layer: Literal[True],
    ) -> list[Tensor]: ...

    def encode(
        self,
        source: Tensor,
        *,
        key_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        tap: Tap | None = None,
        read_layer: int | None = None,
        every_layer: bool = False,
    ) -> Tensor | list[Tensor]:
        """Memory [b, S, ·] of source ids [b, S], see `model.network.wiring`; where words are copied with ids.

        Args:
            key_mask: bool [b, S], True where the token may be attended to (False for padding). In training
                mode a norm over the batch leaves the others out too.
            position_ids: [S] or [b, S]; 0, 1, 2, ... when absent.
            tap: see `model.network.attention.Tap`.
            read_layer: the memory is what this many encoder layers made of the source, closed like their
                last; None for what the `wiring` says.
            every_layer: return the embedding sum and each layer's output instead, encoder_layers + 1
                tensors [b, S, d]; the last one is the encoder's output, which is the memory unless another
                `wiring` is set.
        """
        x = self._embed(self.source_embedding, source, position_ids)
        mask = None if key_mask is None else AttentionMask.of(key_mask[:, None, None], self._score_dtype())
        outputs = [x]
        spots = self.spots(source.shape[1], position_ids)
        for layer in self.encoder.layers:
            x = layer(x, mask, tap, spots, key_mask)
            outputs.append(x)
        if not every_layer:
            read = self.memory_mix.memory_from(outputs, lambda y: self.encoder.close(y, key_mask), read_layer)
            return self.memory_of(read, source)
        outputs[-1] = self.encoder.close(x, key_mask)
        return outputs

    def memory_of(self, read: Tensor, source: Tensor) -> Tensor:
        """Memory [b, S, ·], as `encode` returns it, of what is read [b, S, width] and the ids [b, S]."""
        return read if self.copy_gate is None else with_ids(read, source)

    def output_of(self, memory: Tensor) -> Tensor:
        """The inverse: [b, S, width] what attention reads of memory."""
        return memory if self.copy_gate is None else memory[..., :-1]

    # decoder

    def memory_keys(self, memory: Tensor) -> list[tuple[Tensor, Tensor]]:
        """Each decoder layer's cross-attention keys and values of memory [b, S, ·]."""
        read = self.output_of(memory)
        return [
            _cross(layer).project_memory(self.memory_mix.of_layer(read, index))
            for index, layer in enumerate(self.decoder.layers)
        ]

    def _taps(self, tap: Tap | None) -> list[Tap | None]:
        """What sees the patterns of each decoder layer."""
        taps = [tap] * len(self.decoder.layers)
        if self.copy_gate is not None:
            taps[-1] = PointerTap(tap)
        return taps

    def rows_of(
        self, state: Tensor, entered: Tensor, memory: Tensor | None, pattern: Tensor | None
    ) -> Tensor:
        """What `decode` returns, of the decoder's output [b, n, d] and what entered it.

        Args:
            memory, pattern: the latter of the last cross-attention as it is used, [b, head, n, S]; only a
                copy mechanism looks at them.
        """
        if self.copy_gate is None:
            return state
        assert memory is not None
        assert pattern is not None
        read = self.memory_mix.of_layer(self.output_of(memory), len(self.decoder.layers) - 1)
        return copy_rows(self.copy_gate, state, entered, pattern, read, memory[..., -1])

    def decode(
        self,
        target_in: Tensor,
        memory: Tensor,
        *,
        memory_mask: Tensor | None = None,
        key_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        tap: Tap | None = None,
        real: Tensor | None = None,
        spoken: Tensor | None = None,
    ) -> Tensor:
        """Hidden states [b, T, d] of all target inputs [b, T] at once (teacher forcing).

        They are causally masked, but in a model that writes in rounds.

        With a copy mechanism each row carries behind it what `project` needs of it; see
        `model.network.copying`.

        Args:
            memory_mask: bool [b, S], as `key_mask` of `encode`.
            key_mask: bool [b, T], True where a target position may be attended to.
            real: bool [b, T], False for padding: in training mode a norm over the batch leaves it out.
            spoken: bool [b, T], False where only the position enters, and 0 for the word.
        """
        x = self._embed(self.target_embedding, target_in, position_ids, spoken=spoken)
        dtype = self._score_dtype()
        allowed = self._allowed(target_in.shape[1], key_mask)
        self_mask = None if allowed is None else AttentionMask.of(allowed, dtype)
        cross_mask = None if memory_mask is None else AttentionMask.of(memory_mask[:, None, None], dtype)
        spots = self.spots(target_in.shape[1], position_ids)
        entered, taps = x, self._taps(tap)
        for layer, keys, seen in zip(self.decoder.layers, self.memory_keys(memory), taps):
            x = layer(x, keys, self_mask, cross_mask, seen, None, spots, real)
        return self.rows_of(self.decoder.close(x, real), entered, memory, _used(taps[-1]))

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
        """An empty cache for decoding from memory [b, S, width].

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
            empty_layer(rows, a.key_heads, capacity, a.d_model // a.n_heads, memory)
            for _ in self.decoder.layers
        ]
        source = None if self.copy_gate is None else memory
        keys = self.memory_keys(memory)
        if memory.shape[0] > 1:  # else each step would copy them before its products
            keys = [(k.contiguous(), v.contiguous()) for k, v in keys]
        return DecoderCache(layers, keys, mask, source=source)

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
        plain = self.copy_gate is None and key_mask is None and target_in.shape == (1, 1)
        if plain and (row := row_step(self.decoder.layers, x[0], cache, tap)) is not None:
            return self.decoder.close(row[None])
        self_mask = None
        if n > 1 or key_mask is not None:
            allowed = causal_mask(n, start + n, x.device)[None, None]
            allowed = allowed if key_mask is None else allowed & key_mask[:, None, None]
            self_mask = AttentionMask.of(allowed, self._score_dtype())
        spots = self.spots(n, position_ids, start, cache.places)
        cache.places = None if spots is None else spots.keys
        entered, taps = x, self._taps(tap)
        for layer, memory, own, seen in zip(self.decoder.layers, cache.memory, cache.layers, taps):
            x = layer(x, memory, self_mask, cache.memory_mask, seen, own, spots)
        return self.rows_of(self.decoder.close(x), entered, cache.source, _used(taps[-1]))

    def project(self, hidden: Tensor) -> Tensor:
        """Logits [..., target_vocab] of hidden states [..., d].

        With a copy mechanism logarithms of what both ways of making a word give, of rows that carry what
        that takes; of states [..., d] alone the logits of what is generated.
        """
        if self.copy_gate is None or hidden.shape[-1] == self.architecture.d_model:
            return linear(hidden, self.output.weight, self.output.bias)
        parts = copy_parts(hidden, self.architecture.d_model)
        return mixed(linear(parts.state, self.output.weight, self.output.bias), parts)

    def copy_shares(self, hidden: Tensor) -> Tensor | None:
        """[...] how much of the next token is copied, of what `decode` returns; None where nothing is."""
        return None if self.copy_gate is None else copy_shares(copy_parts(hidden, self.architecture.d_model))

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
            target_mask: bool [b, T], False for padding: norms over the batch leave it out, and a decoder
                without a causal mask does not attend to it. None where nothing is padded.
            see_memory: is shown the memory.
        """
        memory = self.encode(source, key_mask=source_mask, tap=tap)
        if see_memory is not None:
            see_memory(memory)
        keys = target_mask if self.architecture.in_rounds else None  # padding on the right is masked causally
        return self.decode(
            target_in, memory, memory_mask=source_mask, key_mask=keys, tap=tap, real=target_mask
        )

    def length_logits(self, memory: Tensor, mask: Tensor | None) -> Tensor:
        """[b, max_positions] of memory [b, S, ·], for a model that writes in rounds; see `LengthPredictor`.

        It looks at what the last decoder layer reads.
        """
        assert self.length is not None
        read = self.memory_mix.of_layer(self.output_of(memory), len(self.decoder.layers) - 1)
        return self.length.logits(read, mask)

    def _score_dtype(self) -> torch.dtype:
        if torch.is_autocast_enabled(self.source_embedding.weight.device.type):
            return torch.get_autocast_dtype(self.source_embedding.weight.device.type)
        return self.source_embedding.weight.dtype

    def decoding_matrices(self) -> list[Tensor]:
        """Those that each step of decoding multiplies by, each as a whole: the decoder's, and the output's.

        The encoder's are used once a sentence, with all its rows. So are the keys and values of its output;
        the queries' part that stands beside them has its own way, see `MultiHeadAttention.prepare_queries`.
        """
        matrices: list[Tensor] = []
        for layer in self.decoder.layers:
            assert isinstance(layer, DecoderLayer)
            own, cross = layer.self_attn, layer.multihead_attn
            matrices += [own.in_proj_weight, own.out_proj.weight, cross.out_proj.weight]
            matrices += [layer.linear1.weight, layer.linear2.weight]
        return [*matrices, self.output.weight]

    def _reading_matrices(self) -> list[Tensor]:
        """Those of the encoder, each used once a sentence."""
        matrices: list[Tensor] = []
        for layer in self.encoder.layers:
            assert isinstance(layer, EncoderLayer)
            own = layer.self_attn
            matrices += [own.in_proj_weight, own.out_proj.weight, layer.linear1.weight, layer.linear2.weight]
        return matrices

    @torch.no_grad()
    def lay_out_for_batches(self) -> None:
        """Give each matrix the quickest way for many rows, for decoding many sentences at once.

        Where that is one with copies, these take as much memory again as the matrices do.
        """
        matrices: list[Tensor] = [weight for weight in self.encoder.parameters() if weight.dim() == 2]
        matrices += self.decoding_matrices()
        if not all(can_be_prepared(matrix) for matrix in matrices):
            return
        for matrix in matrices:
            prepare_many(matrix, many_way(matrix))
        for layer in self.decoder.layers:
            _cross(layer).prepare_many()

    @torch.no_grad()
    def lay_out_for_decoding(self) -> None:
        """Give each matrix its quickest way here, and those of each step the layout that this way wants.

        See `model.network.products`. With one sentence a step reads every weight once and the products run at
        the speed of memory. Shapes and values stay the same. What is written into the weights later is seen.
        """
        whole, crosses = self.decoding_matrices(), [_cross(layer) for layer in self.decoder.layers]
        matrices = [*whole, *(cross.query_matrix() for cross in crosses)]
        for matrix in whole:
            release(matrix)
        if not all(can_be_prepared(matrix) for matrix in matrices):
            return
        reading = list(filter(can_be_prepared, self._reading_matrices()))
        # What the encoder reads has no copy: whether its numbers are float16's makes no difference.
        choices = choose(*([(one, seem_halves(one)) for one in each] for each in (matrices, reading)))
        for matrix, choice in zip(reading, choices[len(matrices) :]):
            prepare(matrix, choice.of_encoder)
        room = Room(matrix.shape for matrix in matrices if not lies_in_room(matrix))
        for matrix, choice in zip(whole, choices):
            prepare(matrix, choice, room)
        for cross, choice in zip(crosses, choices[len(whole) :]):  # as many as there are
            cross.prepare_queries(choice, room)


def _used(tap: Tap | None) -> Tensor | None:
    """The pattern that the last decoder layer used, where it is kept."""
    return tap.pattern if isinstance(tap, PointerTap) else None


def _cross(layer: nn.Module) -> MultiHeadAttention:
    assert isinstance(layer, DecoderLayer)
    return layer.multihead_attn
