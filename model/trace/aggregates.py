"""Aggregates of weights: over heads and layers, and with values or gradients. No torch.

None of these is an attention weight. Sums are float64 and read one head or layer at a time: long inputs need
the memory of some maps, never that of all heads. Results are float32 [query, key] unless another is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from model.tokens.words import Span
from model.trace.trace import AttentionKind, Floats, Patterns

Doubles = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]

_KEYS_AT_ONCE = 64
_WORDS_AT_ONCE = 32


def max_heads(patterns: Patterns, kind: AttentionKind, layer: int) -> Floats:
    """Largest weight among a layer's heads, cell by cell; rows need not sum to 1."""
    return _single(_largest(_heads(patterns, kind, layer)))


def mean_layers(patterns: Patterns, kind: AttentionKind) -> Floats:
    """Mean over all heads of all layers; rows sum to 1."""
    return _single(_mean(_all_heads(patterns, kind)))


def max_layers(patterns: Patterns, kind: AttentionKind) -> Floats:
    """Largest weight among all heads of all layers, cell by cell."""
    return _single(_largest(_all_heads(patterns, kind)))


def rollouts(patterns: Patterns) -> Iterator[Floats]:
    """Attention rollout through the encoder up to each layer (Abnar and Zuidema 2020, arXiv 2005.00928).

    With A(l) the mean over the heads of layer l, A'(l) = 0.5 A(l) + 0.5 I with its rows made to sum to 1
    (I stands for the residual connection), the rollout is A'(layer) … A'(1) A'(0). Rows sum to 1.

    Yields:
        [token of the layer's output, token of the input] for each layer, from the first up.
    """
    shape = patterns.shape(AttentionKind.ENCODER_SELF)
    assert shape is not None
    result = np.eye(shape[2])
    for index in range(shape[0]):
        mixed = 0.5 * _mean(_heads(patterns, AttentionKind.ENCODER_SELF, index))
        mixed[np.diag_indices_from(mixed)] += 0.5
        mixed /= mixed.sum(axis=1, keepdims=True)
        result = mixed @ result
        yield _single(result)


def value_weighted(
    patterns: Patterns,
    grams: Floats,
    kind: AttentionKind,
    layer: int,
    head: int | None,
    factors: Sequence[float] = (),
) -> Floats:
    """How long the vector is that a key adds to a query's output (Kobayashi et al. 2020, arXiv 2004.10102).

    Of a head: α ‖f(x)‖; of a layer (head None): ‖Σ_h α_h f_h(x)‖ = √(αᵀ G α).

    Args:
        grams: [layer, key, head, head] inner products G of the f_h(x) of the kind of attention; or [layer,
            query, key, head, head], where they depend on the query.
        factors: what each head's output was multiplied by; empty for 1.
    """
    gram = grams[layer].astype(np.float64)
    scale = np.array(factors or [1.0] * gram.shape[-1], np.float64)
    gram = gram * scale[:, None] * scale[None, :]
    if head is not None:
        lengths = np.sqrt(np.maximum(gram[..., head, head], 0))
        return _single(patterns.pattern(kind, layer, head) * lengths)
    return _together(patterns, kind, layer, gram)


def value_weighted_largest(
    patterns: Patterns, grams: Floats, kind: AttentionKind, factors: Callable[[int], Sequence[float]]
) -> float:
    """The largest value-weighted number of any single head of a kind; `factors` as above, by layer."""
    layers, heads = grams.shape[0], grams.shape[-1]
    largest = 0.0
    for layer in range(layers):
        of_layer = factors(layer)
        for head in range(heads):
            weights = value_weighted(patterns, grams, kind, layer, head, of_layer)
            largest = max(largest, float(weights.max(initial=0.0)))
    return largest


def gradient_times_attention(
    patterns: Patterns,
    gradients: Floats,
    kind: AttentionKind,
    layer: int,
    head: int | None,
) -> Floats:
    """Weight times the derivative of a step's log probability by it, of a head or the mean over the layer's.

    Args:
        gradients: [layer, head, query, key] of the kind, by the weights as they are recorded.
    """
    chosen = range(gradients.shape[1]) if head is None else (head,)
    total = np.zeros(gradients.shape[2:], np.float64)
    for index in chosen:
        weights = patterns.pattern(kind, layer, index).astype(np.float64)
        total += weights * gradients[layer, index]
    return _single(total / len(chosen))


def merged(matrix: npt.NDArray[np.floating], rows: Sequence[Span], columns: Sequence[Span]) -> Doubles:
    """Pieces merged to words: the sum over the keys of a word, the mean over the queries of a word.

    Rows that sum to 1 do so afterwards.

    Args:
        rows, columns: first index of each word and the one after its last, in ascending order.

    Returns:
        float64 [word, word].
    """
    counts = np.array([end - first for first, end in rows], np.float64)
    sums: Doubles = _combined(np.add, matrix, np.float64, rows, columns)
    sums /= counts[:, None]  # in place: to ask for as much memory again takes as long as the sums
    return sums


def any_merged(matrix: npt.NDArray[np.bool_], rows: Sequence[Span], columns: Sequence[Span]) -> Booleans:
    """Whether anything is true in the pieces of two words, [word, word]; arguments as of `merged`."""
    return _combined(np.logical_or, matrix, np.bool_, rows, columns)


def _combined(
    combine: np.ufunc,
    matrix: npt.NDArray[Any],
    dtype: type[np.generic],
    rows: Sequence[Span],
    columns: Sequence[Span],
) -> npt.NDArray[Any]:
    """What a sum (an "or") makes of the cells of two words, [word, word].

    Some words at a time: memory that is asked for anew for each map takes longer than the sums.
    """
    result = np.empty((len(rows), len(columns)), dtype)
    across = _Spans(columns)
    for first in range(0, len(rows), _WORDS_AT_ONCE):
        words = rows[first : first + _WORDS_AT_ONCE]
        top = words[0][0]
        block = matrix[top : words[-1][1]].astype(dtype, copy=False)
        down = _Spans([(start - top, end - top) for start, end in words])
        result[first : first + len(words)] = down.combined(combine, across.combined(combine, block, 1), 0)
    return result


class _Spans:
    """Short stretches of an axis; several times faster than `reduceat`."""

    def __init__(self, spans: Sequence[Span]) -> None:
        # Not an array of pairs: that keeps the interpreter, and the window, for longer.
        ends = np.fromiter(chain.from_iterable(spans), np.int64, 2 * len(spans))
        self._first, end = ends[::2], ends[1::2]
        sizes = end - self._first
        longer = (np.flatnonzero(sizes > offset) for offset in range(1, int(sizes.max(initial=0))))
        self._further = [(each, self._first[each] + offset) for offset, each in enumerate(longer, 1)]

    def combined(self, combine: np.ufunc, values: npt.NDArray[Any], axis: int) -> npt.NDArray[Any]:
        """Each stretch along an axis as one, its places from the first on."""
        result = values.take(self._first, axis)
        for longer, places in self._further:
            part = (slice(None),) * axis + (longer,)
            result[part] = combine(result[part], values.take(places, axis))
        return result


def _heads(patterns: Patterns, kind: AttentionKind, layer: int) -> Iterator[Floats]:
    shape = patterns.shape(kind)
    assert shape is not None
    return (patterns.pattern(kind, layer, head) for head in range(shape[1]))


def _all_heads(patterns: Patterns, kind: AttentionKind) -> Iterator[Floats]:
    shape = patterns.shape(kind)
    assert shape is not None
    return (weights for layer in range(shape[0]) for weights in _heads(patterns, kind, layer))


def _mean(maps: Iterator[Floats]) -> Doubles:
    total = np.asarray(next(maps), np.float64).copy()
    count = 1
    for weights in maps:
        total += weights
        count += 1
    total /= count
    return total


def _largest(maps: Iterator[Floats]) -> Floats:
    result = np.array(next(maps), np.float32)
    for weights in maps:
        np.maximum(result, weights, out=result)
    return result


def _together(patterns: Patterns, kind: AttentionKind, layer: int, gram: Doubles) -> Floats:
    """√(αᵀ G α) for every query and key, some keys at a time."""
    weights = patterns.layer(kind, layer)
    _, queries, keys = weights.shape
    result = np.zeros((queries, keys), np.float32)
    for first in range(0, keys, _KEYS_AT_ONCE):
        block = slice(first, min(keys, first + _KEYS_AT_ONCE))
        alpha = weights[:, :, block].astype(np.float64).transpose(2, 1, 0)  # [key, query, head]
        by_query = gram.ndim > 3
        mixed = np.einsum("kqh,qkhg->kqg", alpha, gram[:, block]) if by_query else alpha @ gram[block]
        squared = np.einsum("kqh,kqh->kq", mixed, alpha)
        result[:, block] = np.sqrt(np.maximum(squared, 0)).T
    return result


def _single(values: npt.NDArray[np.floating]) -> Floats:
    return values.astype(np.float32)
