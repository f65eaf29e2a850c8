"""Heads as aligners: every head of cross-attention, and the means over heads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from model.alignment.aer import Aer
from model.alignment.hard import Rule, WordMap, links_of
from model.alignment.links import Gold, Link
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Trace

LayerHead = tuple[int | None, int | None]
"""(layer, head) from 0; head None for the mean over a layer's heads, both None for that over all heads."""

Weights = npt.NDArray[np.floating]


def aer_of_heads(
    trace: Trace, gold: Gold, rule: Rule, *, one_based: bool = False
) -> dict[tuple[int, int], Aer]:
    """How the links of each cross-attention head agree with the gold ones.

    Args:
        one_based: how the links were written down, for messages.

    Raises:
        HeadscopeError: the trace has no cross-attention; the gold links are another sentence's, or join
            words that it does not have; `align_round`.
    """
    words = WordMap.of(trace, gold)
    gold.check(len(words.source), len(words.target), one_based=one_based)
    return {
        (layer, head): Aer.of(links_of(weights), gold)
        for layer in range(trace.layers(AttentionKind.CROSS))
        for head, weights in enumerate(words.weights(trace.patterns.layer(AttentionKind.CROSS, layer), rule))
    }


def links_at(trace: Trace, place: LayerHead, rule: Rule, words: WordMap | None = None) -> frozenset[Link]:
    """The links of one head or mean.

    Raises:
        HeadscopeError: as `WordMap.of`; `export_layer`, `export_head`: there is no such place.
    """
    words = words or WordMap.of(trace)
    return links_of(words.weights(pattern_at(trace, place), rule))


def all_patterns(trace: Trace) -> Iterator[tuple[LayerHead, Weights]]:
    """Cross-attention [T, S] of every head, of each layer's mean, and of the mean over all heads."""
    total: npt.NDArray[np.float64] | None = None
    layers = trace.layers(AttentionKind.CROSS)
    for layer in range(layers):
        heads = trace.patterns.layer(AttentionKind.CROSS, layer)
        for head, pattern in enumerate(heads):
            yield (layer, head), pattern
        mean = heads.mean(axis=0, dtype=np.float64)
        yield (layer, None), mean.astype(np.float32)
        total = mean if total is None else total + mean
    if total is not None:
        yield (None, None), (total / layers).astype(np.float32)


def pattern_at(trace: Trace, place: LayerHead) -> Weights:
    """Cross-attention [T, S] of one head or mean; raises as `links_at`."""
    if AttentionKind.CROSS not in trace.kinds:
        raise HeadscopeError("align_no_cross")
    layer, head = place
    layers, heads = trace.layers(AttentionKind.CROSS), trace.heads(AttentionKind.CROSS)
    if layer is None:
        means = [
            trace.patterns.layer(AttentionKind.CROSS, n).mean(0, dtype=np.float64) for n in range(layers)
        ]
        mean: Weights = (sum(means[1:], means[0]) / layers).astype(np.float32)
        return mean
    if not 0 <= layer < layers:
        raise HeadscopeError("export_layer", value=layer + 1, count=layers)
    if head is not None and not 0 <= head < heads:
        raise HeadscopeError("export_head", value=head + 1, count=heads)
    return trace.pattern(AttentionKind.CROSS, layer, head)
