"""Measuring: how long each way takes for the shapes in hand, with matrices that no cache holds.

As in decoding: a step passes over all matrices, so that each one has left the caches by the next step, unless
all fit. A kernel that is called again and again on one matrix looks three times as fast. So the ways take
turns, shape by shape, and each reads the part of the model's memory that nobody has read for longest.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from model.network.products.ways import WAYS, Layout, Way

Shape = tuple[int, int]
"""[out, in] of a matrix."""

# Rows that stand for few.
FEW = 4

# Rows that stand for a source, which the encoder reads at once.
READ = 24

# Each is called once to get ready, then timed this often; the best counts. Who else reads memory meanwhile
# takes more of it than ways that are close differ by.
_TURNS, _TURNS_AGAIN = 3, 6

# In each turn a kernel is called so often, one call after the other, as in a step of decoding: its code is in
# the caches then, which with small matrices counts. Of large ones once is enough, and a copy must not be: the
# second call would find it in the caches.
_CALLS, _SMALL = 3, 1 << 21

# Numbers of a matrix that suffice for a first look: more only takes longer. In a second, of the whole matrix,
# are the ways that came close.
_PART = 1 << 21
_CLOSE = 1.6

# How much of the time the processor must have been ours.
_OURS = 0.9


@dataclass
class Times:
    """Seconds that each way takes, by its name and the layout of the matrix (`rows` for one with a copy)."""

    one: dict[tuple[str, Layout], float] = field(default_factory=dict)
    few: dict[tuple[str, Layout], float] = field(default_factory=dict)
    read: dict[tuple[str, Layout], float] = field(default_factory=dict)


@dataclass(frozen=True)
class Measured:
    """What came out.

    Attributes:
        undisturbed: whether nothing else took the processor meanwhile.
    """

    times: Mapping[Shape, Times]
    undisturbed: bool


@torch.inference_mode()
def measured(shapes: Mapping[Shape, bool], memory: Sequence[Tensor], threads: int) -> Measured:
    """The ways' times for each shape.

    Args:
        shapes: with whether the numbers are all float16's.
        memory: float32 matrices on the processor, stored without gaps, among them one of each shape: what a
            step reads. Only read.
        threads: how many torch has.
    """
    walk = _Walk(memory)
    began, own = time.perf_counter(), time.thread_time()
    looked = {shape: _part_of(shape) for shape in shapes}
    trials = [
        trial
        for shape, halves in shapes.items()
        for rows in (1, FEW, READ)
        for trial in _trials(shape, looked[shape], rows, halves, walk)
        if threads > 1 or not trial.way.shares
    ]
    _take_turns(trials, walk, _TURNS)
    again = [
        _Trial(trial.way, trial.layout, 1, shape, shape, walk)
        for shape in shapes
        if looked[shape] != shape
        for trial in _close([one for one in trials if one.shape == shape and one.rows == 1])
        if not trial.way.copies  # to copy all of it takes longer than all this
    ]
    _take_turns(again, walk, _TURNS_AGAIN)
    times = {shape: Times() for shape in shapes}
    for trial in [*trials, *again]:  # what is known of the whole matrix replaces what is known of a part
        found = times[trial.shape]
        best = {1: found.one, FEW: found.few, READ: found.read}[trial.rows]
        best[trial.way.name, trial.layout] = trial.best * trial.scale
    spent, worked = time.perf_counter() - began, time.thread_time() - own
    return Measured(times, worked >= _OURS * spent)


class _Walk:
    """Pieces of the model's memory, one after the other, round and round."""

    def __init__(self, memory: Sequence[Tensor]) -> None:
        # Tied matrices are one.
        flats = {weight.data_ptr(): weight.detach().as_strided((weight.numel(),), (1,)) for weight in memory}
        self._flats = list(flats.values())
        self._flat, self._at = 0, 0
        self._copies: dict[tuple[str, Shape], Any] = {}

    def copy(self, way: Way, shape: Shape) -> Any:
        """What a way reads that needs a copy; the same for every number of rows."""
        key = way.name, shape
        if key not in self._copies:
            self._copies[key] = way.prepared(self.matrix(shape, "rows"))
        return self._copies[key]

    def matrix(self, shape: Shape, layout: Layout) -> Tensor:
        """The next piece, as if it were a matrix."""
        count = shape[0] * shape[1]
        for _ in range(len(self._flats) + 1):
            flat, start = self._flats[self._flat], self._at
            if start + count <= len(flat):
                self._at += count
                strides = (shape[1], 1) if layout == "rows" else (1, shape[0])
                return flat.as_strided(shape, strides, flat.storage_offset() + start)
            self._flat, self._at = (self._flat + 1) % len(self._flats), 0
        raise ValueError(f"no matrix of {count} numbers")


class _Trial:
    """One way on one shape."""

    def __init__(self, way: Way, layout: Layout, rows: int, shape: Shape, looked: Shape, walk: _Walk) -> None:
        self.way, self.layout, self.rows, self.shape = way, layout, rows, shape
        self._looked = looked
        self.calls = _CALLS if looked[0] * looked[1] < _SMALL and not way.copies else 1
        self._x = torch.full((1, rows, shape[1]), 0.5)
        self._bias = torch.zeros(looked[0])
        self._copy = walk.copy(way, looked) if way.copies else None
        self.best = float("inf")
        self.scale = shape[0] / looked[0]
        self.fits = not way.copies or self._copy is not None

    def run(self, walk: _Walk) -> float:
        """Seconds of one product."""
        read = self._copy if self.way.copies else self.way.prepared(walk.matrix(self._looked, self.layout))
        began = time.perf_counter()
        self.way.multiply(self._x, read, self._bias)
        return time.perf_counter() - began


def _trials(shape: Shape, looked: Shape, rows: int, halves: bool, walk: _Walk) -> Iterator[_Trial]:
    for way in WAYS.values():
        if way.present() and way.most >= rows and (halves or not way.halves):
            if rows == READ and way.copies:
                continue
            for layout in way.layouts or ("rows",):
                trial = _Trial(way, layout, rows, shape, looked, walk)
                if trial.fits:
                    yield trial


def _take_turns(trials: Sequence[_Trial], walk: _Walk, turns: int) -> None:
    for turn in range(1 + turns):
        for trial in trials:
            for _ in range(trial.calls):
                seconds = trial.run(walk)
                if turn:
                    trial.best = min(trial.best, seconds)


def _close(trials: Collection[_Trial]) -> list[_Trial]:
    least = min(trial.best for trial in trials)
    return [trial for trial in trials if trial.best <= _CLOSE * least]


def _part_of(shape: Shape) -> Shape:
    out, width = shape
    return min(out, max(1, _PART // width)), width
