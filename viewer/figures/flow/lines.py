"""The lines of a flow: which weights reach the threshold, and how much of the weight does not."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from model.trace.trace import row_blocks
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


@dataclass(frozen=True, eq=False)
class Reached:
    """What of some maps reaches a threshold.

    Attributes:
        count: how many lines.
        lines: them; none of them where there are more than are kept (`kept` is False).
        hidden: the share of all numbers shown (without their signs) below the threshold; None if that is 0.
    """

    count: int
    lines: Lines
    hidden: float | None
    kept: bool = True


_MOST_KEPT = 1 << 20


def reached(maps: Sequence[MapSpec], threshold: float) -> Generator[None, None, Reached]:
    """Every number of the rows shown that is not 0, not masked, and at least `threshold` of the scale.

    Read a few rows at a time.
    """
    cut = np.float32(threshold * scale_end(maps))
    parts, count = [_NONE], 0
    hidden = total = 0.0
    for place, spec in enumerate(maps):
        for first, last in row_blocks(spec.shown_rows, spec.columns):
            size = sizes(spec, first, last)
            row, column = np.nonzero((size > 0) & (size >= cut))
            count += len(row)
            if count <= _MOST_KEPT:
                numbers = np.asarray(spec.matrix[first:last])
                parts.append(Lines(np.full(len(row), place), row + first, column, numbers[row, column]))
            if threshold > 0:
                total += float(size.sum(dtype=np.float64))
                hidden += float(size[size < cut].sum(dtype=np.float64))
            yield
    share = None if threshold <= 0 else hidden / total if total > 0 else 0.0
    if count > _MOST_KEPT:
        return Reached(count, _NONE, share, kept=False)
    return Reached(count, _joined(parts), share)


def lines_between(maps: Sequence[MapSpec], threshold: float, row: int | None, column: int | None) -> Lines:
    """Those lines of a query, of a key, or (both given) between the two."""
    cut = np.float32(threshold * scale_end(maps))
    parts = [_NONE]
    for place, spec in enumerate(maps):
        rows = row_blocks(spec.shown_rows, spec.columns)
        if row is not None:
            rows = [(row, row + 1)] if row < spec.shown_rows else []
        for first, last in rows:
            size = sizes(spec, first, last)
            reach = (size > 0) & (size >= cut)
            if column is not None:
                reach[:, :column] = reach[:, column + 1 :] = False
            at, key = np.nonzero(reach)
            numbers = np.asarray(spec.matrix[first:last])
            parts.append(Lines(np.full(len(at), place), at + first, key, numbers[at, key]))
    return _joined(parts)


def _joined(parts: Sequence[Lines]) -> Lines:
    """Thin ones first."""
    columns = ((part.place, part.row, part.column, part.value) for part in parts)
    place, row, column, value = (np.concatenate(part) for part in zip(*columns, strict=True))
    order = np.argsort(np.abs(value), kind="stable")
    return Lines(place[order], row[order], column[order], value[order])


def sizes(spec: MapSpec, first: int, last: int) -> Matrix:
    """Float32 [row, key] of some rows shown: the numbers without their signs, 0 where none may be drawn."""
    size: Matrix = np.abs(np.asarray(spec.matrix[first:last]))
    for mask in (spec.masked, spec.absent):
        if mask is not None:
            size = np.where(np.asarray(mask[first:last]), np.float32(0), size)
    return size


_NOBODY = np.zeros(0, np.int64)
_NONE = Lines(_NOBODY, _NOBODY, _NOBODY, np.zeros(0, np.float32))
