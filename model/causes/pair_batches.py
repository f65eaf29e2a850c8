"""`PairBatches`: pairs that a model reads with their right targets, as often as is asked, tapped or not.

Shapes: b pairs of a batch, S source tokens, T target tokens, padding behind.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.bundle.bundle import Bundle
from model.errors import HeadscopeError
from model.network.attention import Tap
from model.network.transformer import Transformer

_TOKENS = 1024
"""Of the longer side that a batch may hold: few enough to answer soon when others want the thread."""
_LOGITS = 2**25
"""Numbers that the logits of a batch may be."""
_KEPT = 128 << 20
"""Bytes of the encoder's output that are kept."""


@dataclass(frozen=True)
class EncodedPair:
    """Ids that the encoder reads and ids that are to be produced, end tokens included."""

    source: tuple[int, ...]
    out: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class PairBatch:
    """Padded.

    Attributes:
        places: of each row among all pairs.
        source, target_in, target_out: int64 [b, S], [b, T], [b, T].
        source_mask, target_mask: bool, True for real tokens.
    """

    places: tuple[int, ...]
    source: Tensor
    source_mask: Tensor
    target_in: Tensor
    target_out: Tensor
    target_mask: Tensor


class PairBatches:
    """Pairs of like length together, the shortest first.

    Attributes:
        pairs: in their own order.
        batches: of them.
        tokens: target tokens in all.
    """

    def __init__(self, bundle: Bundle, pairs: Sequence[EncodedPair]) -> None:
        self.pairs = tuple(pairs)
        self.tokens = sum(len(pair.out) for pair in pairs)
        tokens = min(_TOKENS, max(1, _LOGITS // bundle.transformer.target_vocab))
        self.batches = [_batch(bundle, self.pairs, places) for places in _together(self.pairs, tokens)]
        self._network = bundle.transformer
        self._memories: dict[tuple[int, ...], Tensor] = {}

    def logprob(self, tap: Tap | None = None) -> Generator[None, None, float]:
        """Natural log probability per target token; yields after each batch.

        A tap that has a method `reading` is told the rows' places before each batch. One whose attribute
        `encoder_as_usual` is true leaves the encoder as it is, whose output is then computed once for all.

        Raises:
            HeadscopeError: `model_overflow`.
        """
        total = 0.0
        for batch in self.batches:
            total += self._read(batch, tap)
            yield None
        return total / self.tokens

    # Entered for each batch and left before the caller goes on: see `Decoding.advance`.
    @torch.inference_mode()
    def _read(self, batch: PairBatch, tap: Tap | None) -> float:
        memory = None
        if tap is None or getattr(tap, "encoder_as_usual", False):
            memory = self._memories.get(batch.places)
            if memory is None:
                memory = self._network.encode(batch.source, key_mask=batch.source_mask)
                kept = sum(each.nbytes for each in self._memories.values())
                if kept + memory.nbytes <= _KEPT:
                    self._memories[batch.places] = memory
        return float(pair_logprobs(self._network, batch, tap, memory).sum())


def pair_logprobs(
    network: Transformer, batch: PairBatch, tap: Tap | None, memory: Tensor | None = None
) -> Tensor:
    """[b] natural log probability of each target; the caller's grad mode.

    Args:
        memory: what the encoder makes of the sources, where that is known.

    Raises:
        HeadscopeError: `model_overflow`.
    """
    reading = getattr(tap, "reading", None)
    if reading is not None:
        reading(batch.places)
    # Padding stands behind every target: the causal mask hides it.
    if memory is None:
        memory = network.encode(batch.source, key_mask=batch.source_mask, tap=tap)
    hidden = network.decode(batch.target_in, memory, memory_mask=batch.source_mask, tap=tap)
    logits = network.project(hidden).float()
    said = logits.gather(-1, batch.target_out[..., None])[..., 0] - logits.logsumexp(-1)
    result = said.double().masked_fill(~batch.target_mask, 0.0).sum(-1)
    if not bool(result.isfinite().all()):
        raise HeadscopeError("model_overflow")
    return result


def _together(pairs: Sequence[EncodedPair], tokens: int) -> Iterator[tuple[int, ...]]:
    """Places of the pairs of each batch, of at most so many tokens of the longer side, padding included."""
    order = sorted(range(len(pairs)), key=lambda place: (len(pairs[place].source), len(pairs[place].out)))
    batch: list[int] = []
    longest = 0
    for place in order:
        wider = max(longest, len(pairs[place].source), len(pairs[place].out))
        if batch and wider * (len(batch) + 1) > tokens:
            yield tuple(batch)
            batch, wider = [], max(len(pairs[place].source), len(pairs[place].out))
        batch.append(place)
        longest = wider
    if batch:
        yield tuple(batch)


def _batch(bundle: Bundle, pairs: Sequence[EncodedPair], places: tuple[int, ...]) -> PairBatch:
    device, start = bundle.transformer.device, bundle.target_tokenizer.start_id
    pads = bundle.source_tokenizer.pad_id, bundle.target_tokenizer.pad_id
    source, source_mask = _padded([pairs[place].source for place in places], pads[0])
    target_in, target_mask = _padded([(start, *pairs[place].out[:-1]) for place in places], pads[1])
    target_out, _ = _padded([pairs[place].out for place in places], pads[1])
    tensors = (source, source_mask, target_in, target_out, target_mask)
    return PairBatch(places, *(each.to(device) for each in tensors))


def _padded(rows: Sequence[Sequence[int]], pad: int) -> tuple[Tensor, Tensor]:
    """Ids int64 [rows, longest], and where they are real."""
    padded = torch.full((len(rows), max(map(len, rows))), max(0, pad), dtype=torch.int64)
    real = torch.zeros(padded.shape, dtype=torch.bool)
    for row, ids in enumerate(rows):
        padded[row, : len(ids)] = torch.as_tensor(ids)
        real[row, : len(ids)] = True
    return padded, real
