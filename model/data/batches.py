"""Batches: an encoded corpus cut into padded batches of a fixed number of tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.config import TrainConfig
from model.data.corpus import EncodedCorpus

# Pairs of this many batches of a fixed number of pairs are sorted by length together, which pads them less.
WINDOW = 16


@dataclass(frozen=True, eq=False)
class Batch:
    """B sentence pairs, padded to the longest source S and the longest target T (in tokens).

    Attributes:
        source: [B, S] int64, each row ends with the end token, then padding.
        target_in: [B, T] int64, what the decoder reads: start token, then the target.
        target_out: [B, T] int64, what it should predict: the target, then the end token.
        source_mask: [B, S] bool, True = real token.
        target_mask: [B, T] bool, True = real token (of `target_in` and `target_out` alike).
        target_tokens: number of True in `target_mask`.
    """

    source: NDArray[np.int64]
    target_in: NDArray[np.int64]
    target_out: NDArray[np.int64]
    source_mask: NDArray[np.bool_]
    target_mask: NDArray[np.bool_]
    target_tokens: int


def plan_epoch(corpus: EncodedCorpus, config: TrainConfig, epoch: int) -> list[NDArray[np.int64]]:
    """The batches of one pass over `corpus`, in training order, as `config` has them cut.

    Each is an int64 array of pair indices; every pair is in exactly one. A pure function of its arguments.
    """
    lengths = corpus.source_lengths, corpus.target_lengths
    if config.batch_sentences:
        return plan_sentences(*lengths, config.batch_sentences, config.seed, epoch)
    return plan_batches(*lengths, config.batch_tokens, config.seed, epoch)


def plan_batches(
    source_lengths: NDArray[np.integer],
    target_lengths: NDArray[np.integer],
    batch_tokens: int,
    seed: int,
    epoch: int,
) -> list[NDArray[np.int64]]:
    """Which pairs go together in which order: a pure function of its arguments.

    Pairs of like length share a batch, of n * max(longest source, longest target + 1) <= `batch_tokens`
    tokens; a pair longer than that is a batch of its own. Every pair is in exactly one batch.

    Args:
        source_lengths: [N] tokens of each source, its end token included.
        target_lengths: [N] tokens of each target, without start and end.
        batch_tokens: padded tokens of the longer side that a batch may hold.
        seed: of the training run.
        epoch: number of the pass over the data; batches differ from one to the next.

    Returns:
        Batches in training order, each an int64 array of pair indices.
    """
    generator = np.random.Generator(np.random.PCG64([seed, epoch]))
    inputs = np.asarray(target_lengths, dtype=np.int64) + 1
    sources = np.asarray(source_lengths, dtype=np.int64)
    longest = np.maximum(sources, inputs)
    # Among pairs of one length, those whose other side is alike pad least; the noise lets a pair meet
    # other neighbours in each epoch at little cost in padding.
    balance = (sources - inputs) + generator.normal(0.0, 1.0, size=len(longest))
    order = np.lexsort((balance, longest))
    lengths = longest[order]
    batches: list[NDArray[np.int64]] = []
    begin = 0
    while begin < len(order):
        # Lengths ascend, so the last pair of a candidate batch is its longest.
        most = max(1, batch_tokens // max(1, int(lengths[begin])))
        costs = lengths[begin : begin + most] * np.arange(1, len(lengths[begin : begin + most]) + 1)
        size = max(1, int(np.searchsorted(costs, batch_tokens, side="right")))
        batches.append(order[begin : begin + size].astype(np.int64))
        begin += size
    return [batches[i] for i in generator.permutation(len(batches))]


def plan_sentences(
    source_lengths: NDArray[np.integer],
    target_lengths: NDArray[np.integer],
    count: int,
    seed: int,
    epoch: int,
) -> list[NDArray[np.int64]]:
    """As `plan_batches`, but `count` pairs a batch, however long they are; one batch has what is left over.

    Pairs are drawn in random order; `WINDOW` batches' worth of them share their batches by length.
    """
    generator = np.random.Generator(np.random.PCG64([seed, epoch]))
    order = generator.permutation(len(source_lengths)).astype(np.int64)
    longest = np.maximum(np.asarray(source_lengths), np.asarray(target_lengths) + 1)
    window = np.arange(len(order)) // (WINDOW * count)
    order = order[np.lexsort((longest[order], window))]
    batches = [order[begin : begin + count] for begin in range(0, len(order), count)]
    return [batches[i] for i in generator.permutation(len(batches))]


def share_of(
    indices: NDArray[np.int64], lengths: NDArray[np.integer], rank: int, world: int
) -> NDArray[np.int64]:
    """The pairs of a batch that fall to one of several processes: dealt out by length, back and forth.

    So all have about as many pairs and tokens, and alike padding. Of fewer pairs than processes, some get
    none.

    Args:
        indices: [B] the batch's pairs.
        lengths: [B] tokens of each.
        rank: the process, from 0.
        world: how many there are.
    """
    ranked = indices[np.argsort(-lengths, kind="stable")]
    place = np.arange(len(ranked)) % (2 * world)
    own: NDArray[np.int64] = ranked[np.minimum(place, 2 * world - 1 - place) == rank]
    return own


def make_batch(
    corpus: EncodedCorpus,
    indices: NDArray[np.integer],
    *,
    pad_id: int,
    start_id: int,
    end_id: int,
    source_pad_id: int | None = None,
) -> Batch:
    """Pads the pairs at `indices` into one batch, in their order.

    Args:
        corpus: where the pairs are.
        indices: [B] pair indices, B >= 1.
        pad_id: padding of the target (and of the source, unless `source_pad_id` is given).
        start_id: put in front of `target_in`.
        end_id: put behind `target_out`.
        source_pad_id: padding of the source where its vocabulary has another.
    """
    sources = [corpus.source(int(i)) for i in indices]
    targets = [corpus.target(int(i)) for i in indices]
    start, end = np.array([start_id]), np.array([end_id])
    source, source_mask = _pad(sources, pad_id if source_pad_id is None else source_pad_id)
    target_in, target_mask = _pad([np.concatenate((start, target)) for target in targets], pad_id)
    target_out, _ = _pad([np.concatenate((target, end)) for target in targets], pad_id)
    return Batch(source, target_in, target_out, source_mask, target_mask, int(target_mask.sum()))


def _pad(
    rows: list[NDArray[np.int32]] | list[NDArray[np.int64]], pad_id: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Rows side by side as [B, longest] with padding behind, and the mask of the real tokens."""
    lengths = np.array([len(row) for row in rows])
    mask: NDArray[np.bool_] = np.arange(lengths.max())[None, :] < lengths[:, None]
    padded = np.full(mask.shape, pad_id, dtype=np.int64)
    padded[mask] = np.concatenate(rows)
    return padded, mask
