"""The scale of differences: one for all heads of a kind, so that a small one does not look like a large."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from model.trace.trace import AttentionKind, Floats, Trace
from viewer.figures.canvas.matrix import Matrix
from viewer.figures.difference.alignment import alignment

# Ends of the scale; beyond the last the largest difference itself.
_LADDER = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
# Above so many cells the heads are not all read for the sake of a scale.
MOST_CELLS = 2_000_000

_known: WeakKeyDictionary[Trace, WeakKeyDictionary[Trace, dict[AttentionKind, Floats]]] = WeakKeyDictionary()


def head_differences(first: Trace, second: Trace, kind: AttentionKind) -> Floats | None:
    """The largest |B − A| of each head of B over the cells that both have, float32 [layer, head].

    A's head is the one with the same layer and number, else the nearest it has. None where one lacks the
    kind or there are too many cells to read them all.
    """
    shapes = [trace.patterns.shape(kind) for trace in (first, second)]
    if any(shape is None or not np.prod(shape) or np.prod(shape) > MOST_CELLS for shape in shapes):
        return None
    known = _known.setdefault(first, WeakKeyDictionary()).setdefault(second, {})
    if kind not in known:
        known[kind] = _measured(first, second, kind)
    return known[kind]


def _measured(first: Trace, second: Trace, kind: AttentionKind) -> Floats:
    paired = alignment(first, second)
    rows, columns = (
        np.array([pair for pair in pairing.pairs if None not in pair], np.int64).reshape(-1, 2)
        for pairing in (paired.queries(kind), paired.keys(kind))
    )
    result = np.zeros((second.layers(kind), second.heads(kind)), np.float32)
    if not len(rows) or not len(columns):
        return result
    heads = np.minimum(np.arange(second.heads(kind)), first.heads(kind) - 1)
    for layer in range(second.layers(kind)):
        a = first.patterns.layer(kind, min(layer, first.layers(kind) - 1))[heads]
        b = second.patterns.layer(kind, layer)
        a = a[:, rows[:, 0]][:, :, columns[:, 0]]
        b = b[:, rows[:, 1]][:, :, columns[:, 1]]
        result[layer] = np.abs(b - a).max(axis=(1, 2))
    return result


def levels_of(first: Trace, second: Trace, kind: AttentionKind, shown: Matrix) -> tuple[float, float]:
    """(−m, m): m the least of some round numbers that no head's difference exceeds, nor one of `shown`."""
    heads = head_differences(first, second, kind)
    largest = 1.0 if heads is None else float(heads.max(initial=0.0))
    largest = max(largest, float(np.abs(shown).max(initial=0.0)))
    most = next((step for step in _LADDER if largest <= step), largest)
    return -most, most
