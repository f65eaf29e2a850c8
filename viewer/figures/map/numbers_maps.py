"""The numbers of one map: weights, what becomes of those of many heads, what follows from them, or scores."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np

from model.questions.answers import Stages, ValueGrams
from model.trace.aggregates import (
    gradient_times_attention,
    max_heads,
    max_layers,
    mean_layers,
    rollouts,
    value_weighted,
    value_weighted_largest,
)
from model.trace.trace import Trace
from viewer.document.alterations.alteration_text import output_factors
from viewer.document.selection import AddedNumbers, AnyNumbers, Numbers, Selection
from viewer.figures.canvas.matrix import Mask, Matrix
from viewer.figures.known import Known, NotRead
from viewer.figures.map.added import added_cells
from viewer.figures.map.head_grid import HeadGrid, Sums
from viewer.figures.map.long_map import AnyMask, AnyMatrix, LongArray, LongMap, long_arrays, need_scan
from viewer.figures.map.numbers import MIXING, OVER_LAYERS, SCORES, SIGNED, answer_of, layer_and_head

_MOST_BYTES = 64 << 20
_OF_WEIGHTS = (Numbers.MAX_HEADS, Numbers.MEAN_LAYERS, Numbers.MAX_LAYERS, Numbers.ROLLOUT)


@dataclass(frozen=True, eq=False)
class Cells:
    """What a map shows, before its pieces are merged.

    Attributes:
        matrix: float32 [query, key] of the tokens shown.
        masked: True where attention was not allowed; None where it was allowed everywhere.
        largest: the largest number of the kind's maps of this sort, where they share a scale; else 0.
        sums: float64 [query] of each row shown: the sum over all keys, and over the keys shown; None where no
            token is left out, or where sums say nothing.
        placed: whether what positions add by distance is in them.
        copies: whether they leave out what words have that are copied from the source.
        undivided: whether they are scores that the model does not divide.
    """

    matrix: AnyMatrix
    masked: AnyMask | None
    largest: float = 0.0
    sums: tuple[Sums, Sums] | None = None
    placed: bool = False
    copies: bool = False
    undivided: bool = False


@dataclass(eq=False)
class _Kept:
    """What was worked out: the answer it follows from, all its numbers, and lately the long map of a grid."""

    answer: object
    full: Matrix
    long: tuple[HeadGrid, LongMap, tuple[Sums, Sums] | None] | None = None

    def long_map(self, grid: HeadGrid) -> tuple[LongMap, tuple[Sums, Sums] | None]:
        """`HeadGrid.long_map_of` these numbers, with the pictures that were made of it."""
        if self.long is None or self.long[0] is not grid:
            self.long = (grid, *grid.long_map_of(self.full))
        return self.long[1:]


_lock = threading.Lock()
# What was worked out of a trace lately; goes with the trace.
_kept: WeakKeyDictionary[Trace, dict[Hashable, _Kept]] = WeakKeyDictionary()
_largest: WeakKeyDictionary[ValueGrams, dict[Hashable, float]] = WeakKeyDictionary()


def cells_of(
    trace: Trace,
    selection: Selection,
    numbers: AnyNumbers,
    grid: HeadGrid,
    known: Known | None,
    *,
    lazy: bool = False,
) -> Cells:
    """The cells of a map; arguments and errors as in `map_figure`.

    Raises:
        Missing: an answer is needed that is not known.
        NotRead: only where `lazy`: it is long, and not read yet.
    """
    if numbers is Numbers.WEIGHTS and grid.long:
        long = grid.long_map(selection.layer, selection.head)
        need_scan(long, lazy=lazy)
        sums = None if grid.complete else grid.row_sums(selection.layer, selection.head)
        return Cells(*long_arrays(long), sums=sums)
    if numbers is Numbers.WEIGHTS:
        if lazy and grid.needs_reading(selection.layer, selection.head):
            raise NotRead((grid, selection.layer), partial(grid.read_mean, selection.layer))
        matrix, masked = grid.map(selection.layer, selection.head)
        sums = None if grid.complete else grid.row_sums(selection.layer, selection.head)
        return Cells(matrix, masked, sums=sums)
    if isinstance(numbers, AddedNumbers):
        return _of_one(grid, selection, added_cells(trace, selection, numbers))
    answer = answer_of(trace, selection, numbers, known)
    if numbers in SCORES:
        return _scores(grid, numbers, answer)
    # Of a live translation each token makes them other ones, which would be read too late for ever.
    many = trace.finished and grid.takes_long(_maps_read(selection, numbers, grid, answer))
    if lazy and (grid.long or many) and not _is_kept(trace, selection, numbers, answer):
        what = (id(trace), _place(selection, numbers))
        raise NotRead(what, lambda: _keep(trace, selection, numbers, answer))
    kept = _remembered(trace, selection, numbers, answer)
    if grid.long and numbers in _OF_WEIGHTS:
        long, sums = kept.long_map(grid)
        need_scan(long, lazy=lazy)
        return Cells(*long_arrays(long), sums=sums)
    full = kept.full
    if numbers in (*MIXING, Numbers.VALUE_WEIGHTED, Numbers.GRADIENT):
        of_one = _of_one(grid, selection, full)
        matrix = np.asarray(of_one.matrix)
        masked = None if of_one.masked is None else np.asarray(of_one.masked)
    else:
        matrix, masked = grid.cut(full)
    sums = None
    if not grid.complete and numbers not in SIGNED:
        rows = grid.keep_rows(full)
        sums = rows.sum(axis=1, dtype=np.float64), matrix.sum(axis=1, dtype=np.float64)
    placed = numbers is Numbers.VALUE_WEIGHTED and answer.grams[selection.kind].ndim > 4  # by query too
    copies = numbers in (Numbers.ALTI, Numbers.ALTI_LAYER) and answer.copies
    return Cells(matrix, masked, _kind_largest(trace, selection, numbers, answer), sums, placed, copies)


def _of_one(grid: HeadGrid, selection: Selection, full: Matrix) -> Cells:
    """The cells of one map, masked where its weights are and there is nothing."""
    matrix = grid.keep(full)
    masked = grid.map(selection.layer, selection.head)[1]
    return Cells(matrix, None if masked is None else masked & (matrix == 0))


def levels_of(numbers: AnyNumbers, matrix: AnyMatrix, grid: HeadGrid, largest: float) -> tuple[float, float]:
    """The scale of a map's colours.

    Weights, their means and rollout: 0 to 1; maxima, once pieces are merged, to what is reached. Lengths: 0
    to the largest of any head of the kind, or of the map if that has more. Others: symmetrical about 0; those
    of other packages only if any is below it.
    """
    if numbers is Numbers.WEIGHTS:
        return grid.levels
    if isinstance(matrix, LongArray):  # what follows from weights alone
        most = matrix.of.largest
        return 0.0, most if most > 1.001 else 1.0
    added = isinstance(numbers, AddedNumbers)
    if numbers in SIGNED or (added and bool((matrix < 0).any())):
        most = float(np.abs(matrix).max(initial=0.0)) or 1.0
        return -most, most
    most = float(matrix.max(initial=0.0))
    if numbers is Numbers.VALUE_WEIGHTED:
        return 0.0, max(most, largest) or 1.0
    if added:
        return 0.0, most or 1.0
    # Rounding must not take the scale of shares away from 1.
    return 0.0, most if most > 1.001 else 1.0


def _scores(grid: HeadGrid, numbers: AnyNumbers, stages: Stages) -> Cells:
    if numbers is Numbers.SCORES:
        return Cells(grid.keep(stages.scores), None)
    if numbers is Numbers.SCALED:
        return Cells(grid.keep(stages.scaled), None, undivided=not stages.divided)
    forbidden: Mask = grid.keep(stages.forbidden)
    matrix = np.where(forbidden, np.float32(0), grid.keep(stages.masked))
    masked = forbidden if forbidden.any() else None
    return Cells(matrix, masked, placed=stages.placed is not None, undivided=not stages.divided)


def _is_kept(trace: Trace, selection: Selection, numbers: AnyNumbers, answer: object) -> bool:
    found = _kept.get(trace, {}).get(_place(selection, numbers))
    current = found is not None and (numbers is Numbers.ROLLOUT or found.answer is answer)
    return current and not _needs_largest(selection, numbers, answer)


def _keep(trace: Trace, selection: Selection, numbers: AnyNumbers, answer: object) -> Iterator[None]:
    """Work out what takes long, to be at hand when it is asked for."""
    yield
    _remembered(trace, selection, numbers, answer)
    _kind_largest(trace, selection, numbers, answer)


def _maps_read(selection: Selection, numbers: AnyNumbers, grid: HeadGrid, answer: object) -> int:
    """How many heads' maps a map's numbers and scale follow from."""
    if numbers in OVER_LAYERS or _needs_largest(selection, numbers, answer):
        return grid.layers * grid.heads
    by_head = numbers in (Numbers.VALUE_WEIGHTED, Numbers.GRADIENT)
    return grid.heads if numbers is Numbers.MAX_HEADS or (by_head and selection.head is None) else 1


def _needs_largest(selection: Selection, numbers: AnyNumbers, answer: object) -> bool:
    """Whether the scale that all heads of a kind share has yet to be found."""
    shared = numbers is Numbers.VALUE_WEIGHTED and selection.head is not None
    return shared and selection.kind not in _largest.get(cast(ValueGrams, answer), {})


def _place(selection: Selection, numbers: AnyNumbers) -> Hashable:
    # What is of all heads, or of all layers, is the same whichever of them is chosen.
    return (numbers, selection.kind, *layer_and_head(selection.layer, selection.head, numbers))


def _remembered(trace: Trace, selection: Selection, numbers: AnyNumbers, answer: object) -> _Kept:
    """All queries and keys; a look at the same map again costs nothing."""
    key = _place(selection, numbers)
    made: dict[Hashable, _Kept] = {}
    found = _kept.get(trace, {}).get(key)
    if found is None and numbers is Numbers.ROLLOUT:  # each layer's is worked out from the one before
        for layer, matrix in enumerate(rollouts(trace.patterns)):
            made[numbers, selection.kind, *layer_and_head(layer, None, numbers)] = _Kept(None, matrix)
        found = made[key]
    elif found is None or (numbers is not Numbers.ROLLOUT and found.answer is not answer):
        found = _Kept(answer, _worked_out(trace, selection, numbers, answer))
    room = _MOST_BYTES // max(1, found.full.nbytes)  # all maps of a kind are of one size
    with _lock:  # an export, and what is read beside the window, keep some too
        kept = _kept.setdefault(trace, {})
        kept.update(made)
        kept.pop(key, None)
        kept[key] = found  # the newest
        while len(kept) > max(1, room):
            del kept[next(iter(kept))]
    return found


def _worked_out(trace: Trace, selection: Selection, numbers: AnyNumbers, answer: Any) -> Matrix:
    patterns, kind, layer, head = trace.patterns, selection.kind, selection.layer, selection.head
    if numbers is Numbers.MAX_HEADS:
        return max_heads(patterns, kind, layer)
    if numbers is Numbers.MEAN_LAYERS:
        return mean_layers(patterns, kind)
    if numbers is Numbers.MAX_LAYERS:
        return max_layers(patterns, kind)
    if numbers is Numbers.VALUE_WEIGHTED:
        factors = output_factors(trace, kind, layer)
        return value_weighted(patterns, answer.grams[kind], kind, layer, head, factors)
    if numbers is Numbers.ALTI:
        return cast(Matrix, answer.up_to(kind, layer))
    if numbers is Numbers.ALTI_LAYER:
        return cast(Matrix, answer.layer(kind, layer))
    if numbers is Numbers.ZEROING:
        return cast(Matrix, answer.encoder_through[layer + 1])
    if numbers is Numbers.ZEROING_LAYER:
        return cast(Matrix, answer.layers[kind][layer])
    return gradient_times_attention(patterns, answer.gradients[kind], kind, layer, head)


def _kind_largest(trace: Trace, selection: Selection, numbers: AnyNumbers, answer: Any) -> float:
    """The top of the scale that all heads of a kind share; 0 where each map has its own."""
    if numbers is not Numbers.VALUE_WEIGHTED or selection.head is None:
        return 0.0
    kind, known = selection.kind, _largest.setdefault(answer, {})
    if kind not in known:
        known[kind] = value_weighted_largest(
            trace.patterns, answer.grams[kind], kind, lambda layer: output_factors(trace, kind, layer)
        )
    return known[kind]
