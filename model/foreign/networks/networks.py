"""Networks of `transformers`, driven step by step while taps see every pattern: what both kinds share.

Shapes: b batch, H heads, n new target tokens, S source length, V logits. The hidden states that
`decode_step` returns are the logits already: heads, their scaling and biases are the model's own.
"""

from __future__ import annotations

import abc
import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import Tensor

from model.decoding.decodable import DecoderState
from model.errors import HeadscopeError, is_out_of_memory
from model.foreign.inside.inside import Inside
from model.foreign.inside.quiet import quiet
from model.foreign.networks.config_values import embedding_rows, layer_counts
from model.foreign.networks.hf_cache import CachedState, Memory, RecomputedState, new_cache
from model.foreign.networks.pattern_check import PatternCheck
from model.network.attention import AttentionSite, Tap
from model.trace.attention_shape import AttentionShape
from model.trace.trace import AttentionKind

_AGREE = 1e-3
"""How far logits computed with the cache may be from those without, in units of the largest."""

_CACHE_ARGUMENTS = "past_key_values", "cache"
"""What the argument that takes the cache is called; since transformers 5.24 the latter, model by model."""


class StepOutput(NamedTuple):
    """What one run of the decoder gave: logits [b, n, V], patterns by layer."""

    logits: Tensor
    own: list[Tensor]
    cross: list[Tensor]


class ForeignNetwork(abc.ABC):
    """A `decodable.Decodable` around a loaded model (eval mode, eager attention, no gradients).

    Args:
        network: the model.
        name: what errors call it.
        verified: its patterns are proven to be what they seem; of others every row is added up each time.
        sample: ids to try it on, at least 2: source and target for an encoder-decoder.

    Raises:
        HeadscopeError: `attention_missing`, `attention_shape_unknown`, `attention_rows`, `attention_later`,
            `network_failed`: it cannot be looked into, or not truthfully.
    """

    crosses: bool

    def __init__(
        self, network: Any, *, name: str, verified: bool, sample: tuple[Sequence[int], Sequence[int]]
    ) -> None:
        self._network = network
        self._name = name
        self._layers = layer_counts(network.config)
        self._check = PatternCheck(str(network.config.model_type), every_row=not verified)
        self._accepts = frozenset(inspect.signature(network.forward).parameters)
        self._cache_argument = next((name for name in _CACHE_ARGUMENTS if name in self._accepts), None)
        self._shape: AttentionShape | None = None
        self._inside: Inside | None = None
        self._cached = False
        try:
            with torch.inference_mode(), quiet():
                self._try(*(torch.tensor([list(ids)], device=self.device) for ids in sample))
        except HeadscopeError:
            raise
        except Exception as error:
            if is_out_of_memory(error):
                raise
            reason = " ".join(str(error).split())[:200] or type(error).__name__
            raise HeadscopeError(
                "network_failed", model_type=self._check.model_type, reason=reason
            ) from error

    @property
    def attention_shape(self) -> AttentionShape:
        """Layers and heads, as the model itself showed them."""
        assert self._shape is not None
        return self._shape

    @property
    def target_vocab(self) -> int:
        """Number of logits."""
        return self._vocab

    @property
    def device(self) -> torch.device:
        """Where ids are to be."""
        device: torch.device = self._network.device
        return device

    @property
    def dtype(self) -> torch.dtype:
        """What it computes in."""
        dtype: torch.dtype = self._network.dtype
        return dtype

    @property
    def keeps(self) -> bool:
        """Whether it goes on from what it computed before, rather than reading all again at every step."""
        return self._cached

    def open(self, inside: Inside | None) -> Inside | None:
        """Let taps change what is computed from now on, where that can be true; gives what is open."""
        self._inside = inside if self._cached else None
        return self._inside

    @torch.no_grad()
    def encode(
        self,
        source: Tensor,
        *,
        key_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        tap: Tap | None = None,
        read_layer: int | None = None,
    ) -> Tensor:
        """Memory [b, S, d] of source ids [b, S]; see `model.decoding.decodable.Decodable`.

        Raises:
            HeadscopeError: `source_cannot`, `token_id`, or the patterns are not what they have to be.
        """
        if position_ids is not None or read_layer is not None:
            raise self._cannot()
        self._check_ids(source)
        with quiet(), self._tapped(tap):
            memory, patterns = self._read(source, key_mask)
        self._report(tap, AttentionKind.ENCODER_SELF, patterns)
        return memory

    def start_cache(
        self, memory: Tensor | None, *, memory_mask: Tensor | None = None, batch: int | None = None
    ) -> DecoderState:
        """An empty state for decoding from memory [b, S, d]; None for a model without an encoder."""
        held = None if memory is None else Memory(memory, memory_mask)
        rows = batch or (1 if memory is None else memory.shape[0])
        if not self._cached:
            return RecomputedState(torch.zeros((rows, 0), dtype=torch.int64, device=self.device), held)
        hidden = memory_mask if memory is None else None
        return CachedState(new_cache(crosses=self.crosses), held, rows, hidden)

    @torch.no_grad()
    def decode_step(
        self,
        target_in: Tensor,
        cache: DecoderState,
        *,
        position_ids: Tensor | None = None,
        tap: Tap | None = None,
    ) -> Tensor:
        """Logits [b, n, V] of the next n target inputs [b, n]; see `model.decoding.decodable.Decodable`.

        Raises:
            HeadscopeError: `source_cannot`, `token_id`, or the patterns are not what they have to be.
        """
        if position_ids is not None:
            raise self._cannot()
        self._check_ids(target_in)
        with quiet(), self._tapped(tap):
            out = self._advance(target_in, cache)
        for layer, own in enumerate(out.own):
            self._report(tap, AttentionKind.DECODER_SELF, [own], layer)
            self._report(tap, AttentionKind.CROSS, out.cross[layer : layer + 1], layer)
        return out.logits

    def _advance(self, target_in: Tensor, cache: DecoderState) -> StepOutput:
        n = target_in.shape[1]
        if isinstance(cache, RecomputedState):
            ids = torch.cat([cache.ids, target_in], 1)
            out = self._step(ids, None, cache.memory, 0, None)
            cache.ids = ids
            own, cross = ([pattern[:, :, -n:] for pattern in patterns] for patterns in (out.own, out.cross))
            return StepOutput(out.logits[:, -n:], own, cross)
        assert isinstance(cache, CachedState)
        out = self._step(target_in, cache.cache, cache.memory, cache.length, cache.prompt_mask)
        cache.length += n
        return out

    def project(self, hidden: Tensor) -> Tensor:
        """The logits that `decode_step` returned."""
        return hidden

    def copy_shares(self, hidden: Tensor) -> Tensor | None:
        """No model read here tells how much it copies."""
        return None

    @abc.abstractmethod
    def _read(self, source: Tensor, key_mask: Tensor | None) -> tuple[Tensor, list[Tensor]]:
        """Memory of the source, and the encoder's patterns."""

    @abc.abstractmethod
    def _step(
        self, ids: Tensor, cache: Any, memory: Memory | None, past: int, prompt_mask: Tensor | None
    ) -> StepOutput:
        """Run the decoder on ids [b, n] behind `past` that the cache holds; without a cache, on all.

        Args:
            prompt_mask: see `CachedState`.
        """

    def _try(self, source: Tensor, target: Tensor) -> None:
        """Find out what the model shows of itself, and whether its cache keeps all that is needed."""
        memory, encoder = (None, []) if not self.crosses else self._read(source, None)
        held = None if memory is None else Memory(memory, None)
        whole = self._step(target, None, held, 0, None)
        for pattern in (*encoder, *whole.own, *whole.cross):
            self._check.rows(pattern)
        for pattern in whole.own:
            self._check.causal(pattern)
        self._vocab = whole.logits.shape[-1]
        self._cached = self._cache_argument is not None and self._cache_agrees(whole, target, memory)
        self._shape = AttentionShape(
            encoder_layers=len(encoder),
            encoder_heads=encoder[0].shape[1] if encoder else 0,
            decoder_layers=len(whole.own),
            decoder_heads=whole.own[0].shape[1],
            cross=self.crosses,
        )

    def _cache_agrees(self, whole: StepOutput, target: Tensor, memory: Tensor | None) -> bool:
        """Whether reading token by token, a position forgotten, several at once give the same as all."""
        self._cached = True
        try:
            state = self.start_cache(memory)
            self.decode_step(target[:, :1], state)
            self.decode_step(target[:, -1:], state)
            state.truncate(1)
            half = target.shape[1] // 2
            steps = [self.decode_step(target[:, [at]], state) for at in range(1, half)]
            logits = torch.cat([*steps, self.decode_step(target[:, half:], state)], 1)
        except Exception as error:  # whatever a cache of another kind raises
            if is_out_of_memory(error):
                raise
            return False
        apart = (logits - whole.logits[:, 1:]).abs().max()
        rounding = 1 if self.dtype.itemsize >= 4 else 50
        return bool(apart <= _AGREE * rounding * whole.logits.abs().max().clamp(min=1.0))

    @contextmanager
    def _tapped(self, tap: Tap | None) -> Iterator[None]:
        """Inside, taps see patterns as they are computed; where the model is closed, `_report` shows them."""
        if self._inside is None:
            yield
            return
        with self._inside.tapped(tap):
            yield

    def _report(self, tap: Tap | None, kind: AttentionKind, patterns: list[Tensor], first: int = 0) -> None:
        if tap is None or self._inside is not None:
            return
        for layer, pattern in enumerate(patterns, first):
            if tap(AttentionSite(kind, layer), pattern) is not None:
                raise self._cannot()

    def _checked_step(self, own: Any, cross: Any, logits: Tensor, keys: int, source: int) -> StepOutput:
        """The output of a run on n positions of which the last sees `keys`; `source` 0 without an encoder."""
        batch, queries = logits.shape[:2]
        heads = None if self._shape is None else self._shape.decoder_heads
        seen = self._check.patterns(
            own, batch=batch, queries=queries, keys=keys, layers=self._layers[1], heads=heads
        )
        if not source:
            return StepOutput(logits.float(), seen, [])
        heads = seen[0].shape[1]
        crossing = self._check.patterns(
            cross, batch=batch, queries=queries, keys=source, layers=len(seen), heads=heads
        )
        return StepOutput(logits.float(), seen, crossing)

    def _check_ids(self, ids: Tensor) -> None:
        rows = embedding_rows(self._network)
        largest = int(ids.max()) if ids.numel() else 0
        if largest >= rows:
            raise HeadscopeError("token_id", id=largest, vocab=rows)

    def _cannot(self) -> HeadscopeError:
        return HeadscopeError("source_cannot", name=self._name)
