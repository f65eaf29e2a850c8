"""PlainPass: our Transformer computed rule by rule from its own weights, so that a rule can be left out.

It calls the model's projections, norms and feed-forward networks and does the attention itself; nothing of
the model is changed, not even for a moment. With `PAPER` it computes what the model computes.

Shapes: b batch, h heads, S source length, T target length, d d_model, e = d / h.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import torch
from torch import Tensor, nn

from model.bundle.bundle import Bundle
from model.decoding.batch_decoding import constraints_of, greedy_steps, limit_of
from model.decoding.candidates import ranked
from model.errors import HeadscopeError
from model.inspection.plain import plain
from model.network.attention import AttentionSite, MultiHeadAttention
from model.network.layers import DecoderLayer, EncoderLayer
from model.network.linear import linear
from model.network.masks import causal_mask
from model.network.sharing import spread
from model.network.transformer import Transformer
from model.trace.trace import AttentionKind, Floats

LOWEST = float(torch.finfo(torch.float32).min)
"""What the model takes for minus infinity: exp of it is 0, and where all is hidden nothing becomes NaN."""


@dataclass(frozen=True)
class PassRules:
    """How a pass computes; as it stands, as the paper does.

    Attributes:
        divided: whether q·k is divided by √e before the softmax, or the weights after it.
        hidden: what stands in place of a masked score.
        over: what the softmax makes sum to 1: the keys of a query, or the queries of a key.
        scales_embedding: embeddings are multiplied by √d_model, if the model does so.
        positions: how often the positional encoding is added.
        masks_padding, masks_future: whether the masks are there.
    """

    divided: Literal["before", "after"] = "before"
    hidden: float = LOWEST
    over: Literal["keys", "queries"] = "keys"
    scales_embedding: bool = True
    positions: int = 1
    masks_padding: bool = True
    masks_future: bool = True


PAPER = PassRules()

See = Callable[[AttentionSite, Tensor, Tensor], None]
"""Called with each pattern [b, h, q, k], and where the paper allows attention: bool, broadcasts to it."""


class PlainPass:
    """A model's forward pass under rules; without gradients.

    Args:
        see: is shown every pattern.
    """

    def __init__(self, transformer: Transformer, rules: PassRules = PAPER, see: See | None = None) -> None:
        self._model, self._rules, self._see = transformer, rules, see
        self._cross: Tensor | None = None  # the last such pattern

    @torch.inference_mode()
    def encode(self, source: Tensor, real: Tensor) -> Tensor:
        """Memory [b, S, width] of source ids [b, S]; `real` is False for padding."""
        x = self._embed(self._model.source_embedding, source)
        outputs = [x]
        for layer in self._model.encoder.layers:
            assert isinstance(layer, EncoderLayer)
            x = layer.residual(x, layer.norm1, partial(self._over_source, layer.self_attn, None, real))
            x = layer.residual(x, layer.norm2, layer.feed_forward)
            outputs.append(x)
        read = self._model.memory_mix.memory(outputs, self._model.encoder.close)
        return self._model.memory_of(read, source)

    @torch.inference_mode()
    def logprobs(
        self, target_in: Tensor, memory: Tensor, real: Tensor, *, rows: slice = slice(None)
    ) -> Tensor:
        """Natural log probabilities [b, T, vocab] of every next token, the whole target read at once.

        Args:
            rows: of these of the T alone.

        Raises:
            HeadscopeError: `model_overflow`.
        """
        entered = x = self._embed(self._model.target_embedding, target_in)
        output = self._model.output_of(memory)
        for index, layer in enumerate(self._model.decoder.layers):
            assert isinstance(layer, DecoderLayer)
            read = self._model.memory_mix.of_layer(output, index)
            cross = partial(self._over_source, layer.multihead_attn, read, real)
            x = layer.residual(x, layer.norm1, partial(self._over_target, layer.self_attn))
            x = layer.residual(x, layer.norm2, cross)
            x = layer.residual(x, layer.norm3, layer.feed_forward)
        hidden = self._model.rows_of(self._model.decoder.close(x), entered, memory, self._cross)
        found = self._model.project(hidden[:, rows]).float().log_softmax(-1)
        if not bool(found.isfinite().all()):
            raise HeadscopeError("model_overflow")
        return found

    def _over_source(
        self, attention: MultiHeadAttention, memory: Tensor | None, real: Tensor, x: Tensor
    ) -> Tensor:
        """Attention to the source: the encoder's to itself (`memory` is None), or the decoder's."""
        read = x if memory is None else memory
        return self._attend(attention, x, read, real[:, None, None], self._rules.masks_padding)

    def _over_target(self, attention: MultiHeadAttention, x: Tensor) -> Tensor:
        """The decoder's attention to itself."""
        allowed = causal_mask(x.shape[1], x.shape[1], x.device)[None, None]
        if self._model.architecture.in_rounds:
            allowed = torch.ones_like(allowed)
        return self._attend(attention, x, x, allowed, self._rules.masks_future)

    def _embed(self, embedding: nn.Embedding, ids: Tensor) -> Tensor:
        model, rules = self._model, self._rules
        model.positions.check_length(ids.shape[1])
        x: Tensor = embedding(ids)
        if model.architecture.scale_embedding and rules.scales_embedding:
            x = x * math.sqrt(model.architecture.d_model)
        for _ in range(rules.positions):
            x = model.positions(x, slice(0, ids.shape[1]))
        return x

    def _attend(
        self, attention: MultiHeadAttention, x: Tensor, read: Tensor, allowed: Tensor, masks: bool
    ) -> Tensor:
        """[b, q, d] of x [b, q, d] and what its keys and values are made of."""
        rules = self._rules
        q = attention.project_query(x)
        b, h, n, e = q.shape
        k, v = (spread(shared, h) for shared in attention.project_memory(read))
        relative, spots = attention.relative, self._model.spots(n, None)
        if relative is not None:
            assert spots is not None
            q, k = relative.turned(q, spots), relative.turned(k, spots)
        scores = q @ k.transpose(-1, -2)
        scale = math.sqrt(e) if rules.divided == "before" else 1.0
        scores = scores / scale
        if relative is not None:
            assert spots is not None
            bias = relative.added(q / scale, spots)
            scores = scores if bias is None else scores + bias
        if masks:
            scores = scores.masked_fill(~allowed, rules.hidden)
        pattern = scores.softmax(-1 if rules.over == "keys" else -2)
        if rules.divided == "after":
            pattern = pattern / math.sqrt(e)
        if attention.site.kind is AttentionKind.CROSS:
            self._cross = pattern
        if self._see is not None:
            self._see(attention.site, pattern, allowed)
        mixed = pattern @ v
        if relative is not None:
            assert spots is not None
            more = relative.mixed(pattern, spots)
            mixed = mixed if more is None else mixed + more
        mixed = mixed.transpose(1, 2).reshape(b, n, h * e)
        return linear(mixed, attention.out_proj.weight, attention.out_proj.bias)


@dataclass(frozen=True, eq=False)
class PaddedBatch:
    """Sources of any lengths with padding behind: ids int64 [b, S], and bool [b, S], False for padding."""

    ids: Tensor
    real: Tensor

    @classmethod
    def of(cls, sources: Sequence[Sequence[int]], bundle: Bundle, extra: int = 0) -> PaddedBatch:
        """As long as the longest, and `extra` more."""
        longest = max(map(len, sources)) + extra
        # A model without a padding token reads any other there, as in `model.decoding.batch_decoding`.
        pad = max(0, bundle.source_tokenizer.pad_id)
        rows = [[*source, *[pad] * (longest - len(source))] for source in sources]
        real = [[place < len(source) for place in range(longest)] for source in sources]
        device = bundle.transformer.device
        return cls(torch.tensor(rows, device=device), torch.tensor(real, device=device))


def greedy(bundle: Bundle, source: Sequence[int], most: int) -> Generator[None, None, tuple[int, ...]]:
    """Ids of the model's own translation, at most so many, the end token included where it was reached."""
    tokenizer = bundle.target_tokenizer
    limit = min(most, limit_of(bundle.transformer, len(source), None, bundle.target_limit))
    (produced,) = yield from greedy_steps(
        bundle.transformer,
        [source],
        pad_id=bundle.source_tokenizer.pad_id,
        start_id=tokenizer.start_id,
        end_id=tokenizer.end_id,
        most=bundle.target_limit,
        max_length=limit,
        rules=bundle.rules,
    )
    return (*produced, tokenizer.end_id) if len(produced) < limit else tuple(produced)


def greedy_without_cache(
    bundle: Bundle, rules: PassRules, batch: PaddedBatch, most: int
) -> Iterator[tuple[int, ...]]:
    """Ids of the translation of a batch of one, after every step; the end token included where it is reached.

    The whole prefix is read anew at every step, as lecture code does.

    Args:
        most: tokens at most.
    """
    bundle.transformer.require_left_to_right()
    computed = PlainPass(bundle.transformer, rules)
    memory = computed.encode(batch.ids, batch.real)
    tokenizer = bundle.target_tokenizer
    source = batch.ids[batch.real].tolist()
    limit = min(most, limit_of(bundle.transformer, len(source), None, bundle.target_limit))
    constraints = constraints_of(
        bundle.transformer,
        bundle.rules,
        source,
        start_id=tokenizer.start_id,
        end_id=tokenizer.end_id,
        limit=limit,
    )
    produced: list[int] = []
    while len(produced) < limit and not (produced and produced[-1] in constraints.ends):
        read = torch.tensor([[tokenizer.start_id, *produced]], device=memory.device)
        logprobs = computed.logprobs(read, memory, batch.real, rows=slice(-1, None))[0, 0]
        produced.append(int(ranked(constraints.apply(logprobs, produced)[None], 1)[0, 0]))
        yield tuple(produced)


def read_of(bundle: Bundle, produced: Sequence[int]) -> Tensor:
    """What the decoder reads to predict each of `produced`, int64 [1, T].

    Raises:
        HeadscopeError: `writes_in_rounds`: it does not read them one place behind.
    """
    bundle.transformer.require_left_to_right()
    start = bundle.target_tokenizer.start_id
    return torch.tensor([[start, *produced[:-1]]], device=bundle.transformer.device)


def of_produced(logprobs: Tensor, produced: Sequence[int]) -> Floats:
    """[T] what logprobs [T, vocab] say of each of `produced`."""
    return plain(logprobs.gather(-1, torch.tensor(produced, device=logprobs.device)[:, None])[:, 0])


def largest_change(one: Tensor, other: Tensor) -> Floats:
    """[T] the largest change of a probability of any next token, of log probabilities [T, vocab]."""
    return plain((one.exp() - other.exp()).abs().amax(-1))
