"""The lines of a flow: which weights reach the threshold, and how much of the weight does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from viewer.figures.canvas.matrix import Matrix
from viewer.figures.map.head_grid import Indices
from viewer.figures.map.spec import MapSpec


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of a flow as columns of a table, thin ones first.

    Attributes:
        place: int64 [line], which of the flow's maps each is of.
        row, column: int64 [line], the query and the key that it joins.
        value: float32 [line], its weight.
    """

    place: Indices
    row: Indices
    column: Indices
    value: Matrix

    def __len__(self) -> int:
        return len(self.value)

    def where(self, mask: npt.NDArray[np.bool_]) -> Lines:
        """Only some of them."""
        return Lines(self.place[mask], self.row[mask], self.column[mask], self.value[mask])


def scale_end(maps: Sequence[MapSpec]) -> float:
    """The number that is drawn widest: the largest end of the maps' scales, 1 for weights."""
    return max(spec.levels[1] for spec in maps)


def lines_of(maps: Sequence[MapSpec], threshold: float) -> Lines:
    """Every number of the rows shown that is not 0, not masked, and at least `threshold` of the scale."""
    cut = np.float32(threshold * scale_end(maps))
    parts = []
    for place, spec in enumerate(maps):
        size = sizes(spec)
        row, column = np.nonzero((size > 0) & (size >= cut))
        parts.append((np.full(len(row), place), row, column, spec.matrix[row, column]))
    place_, row_, column_, value = (np.concatenate(part) for part in zip(*parts, strict=True))
    order = np.argsort(np.abs(value), kind="stable")
    return Lines(place_[order], row_[order], column_[order], value[order])


def hidden_by(maps: Sequence[MapSpec], threshold: float) -> float | None:
    """The share of all numbers shown (without their signs) below the threshold; None if there is none."""
    if threshold <= 0:
        return None
    cut = np.float32(threshold * scale_end(maps))
    hidden = total = 0.0
    for spec in maps:
        size = sizes(spec)
        total += float(size.sum(dtype=np.float64))
        hidden += float(size[size < cut].sum(dtype=np.float64))
    return hidden / total if total > 0 else 0.0


def sizes(spec: MapSpec) -> Matrix:
    """Float32 [row shown, key]: the numbers without their signs, 0 where none may be drawn."""
    shown = spec.shown_rows
    size: Matrix = np.abs(spec.matrix[:shown])
    for mask in (spec.masked, spec.absent):
        if mask is not None:
            size = np.where(mask[:shown], np.float32(0), size)
    return size
