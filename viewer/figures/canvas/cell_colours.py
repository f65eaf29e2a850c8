"""Cell colours: numbers to places in a colour table, and large maps to fewer pixels."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from viewer.figures.canvas.colour_maps import STEPS, Table
from viewer.figures.canvas.matrix import Mask, Matrix
from viewer.figures.canvas.sqrt_scale import root
from viewer.figures.canvas.theme import Theme

Codes = npt.NDArray[np.uint16]
Pixels = npt.NDArray[np.uint32]
Edges = npt.NDArray[np.int64]

_WIDE = 256  # columns from which rows are pooled as wholes
_FEW = 4  # rows of a block, with more of which it is quicker to go block by block
_AT_ONCE = 1 << 16  # cells of a result

# Codes beyond the colour table.
MASKED = STEPS
LATER = STEPS + 1
HATCH = STEPS + 2
ABSENT = STEPS + 3


def palette(theme: Theme, levels: tuple[float, float]) -> Table:
    """Colours by code: the colour table, then those of `MASKED`, `LATER`, `HATCH` and `ABSENT`."""
    table = theme.diverging if levels[0] < 0 else theme.table
    extra = [theme.color(name).rgb() for name in ("masked", "later", "hatch", "panel")]
    return np.concatenate([table, np.array(extra, np.uint32)])


def codes(
    matrix: Matrix,
    masked: Mask | None,
    levels: tuple[float, float],
    *,
    sqrt_scale: bool,
    absent: Mask | None = None,
) -> Codes:
    """Place of each weight in the colour table, uint16 in the matrix's shape.

    On a scale from 0 the place is round(255 w / high), or round(255 sqrt(w / high)); on one symmetrical
    about 0 the table's middle lies between its places 127 and 128. Values beyond the scale take its end's
    colour.
    """
    low, high = levels
    share = np.clip(matrix * np.float32(1 / high), -1 if low < 0 else 0, 1)
    if sqrt_scale:
        share = root(share)
    if low < 0:
        share = share * np.float32(127 / 255) + np.where(
            share < 0, np.float32(127 / 255), np.float32(128 / 255)
        )
    result: Codes = (share * np.float32(STEPS - 1) + np.float32(0.5)).astype(np.uint16)
    if masked is not None:
        result[masked] = MASKED
    if absent is not None:
        result[absent] = ABSENT
    return result


def pooled(matrix: Matrix, rows: int, columns: int) -> Matrix:
    """The matrix on fewer rows and columns, each the value farthest from 0 in the block that it covers.

    Sampling would drop cells, and the mean would hide a lone strong weight.
    """
    highest: Matrix = _blocks(np.maximum, matrix, rows, columns)
    if matrix.size == 0 or float(matrix.min()) >= 0:
        return highest
    lowest: Matrix = _blocks(np.minimum, matrix, rows, columns)
    return np.where(-lowest > highest, lowest, highest)


def pooled_mask(masked: Mask, rows: int, columns: int) -> Mask:
    """True where the whole block is masked."""
    result: Mask = _blocks(np.logical_and, masked, rows, columns)
    return result


def edges_of(cells: int, blocks: int) -> Edges:
    """Where blocks begin that share out cells as evenly as whole cells can be, and where the last ends."""
    return np.arange(blocks + 1, dtype=np.int64) * cells // max(1, blocks)


def pooled_along(combine: np.ufunc, matrix: npt.NDArray[Any], edges: Edges, axis: int) -> npt.NDArray[Any]:
    """What a maximum (a minimum, "all of them") makes of each block along an axis.

    Args:
        edges: of the blocks, ascending from 0; none is empty.
    """
    if len(edges) - 1 == matrix.shape[axis]:
        return matrix
    widths = np.diff(edges)
    if axis == 0 and matrix.shape[1] >= _WIDE:
        few = widths.max() <= _FEW and matrix.flags.c_contiguous  # else taking rows would copy all of them
        return (_few_rows if few else _rows)(combine, matrix, edges)
    # `combine.reduceat`, many times faster: of each cell and its neighbours first, 2, 4, 8 and so on.
    near, span = matrix, 1
    while 2 * span <= widths.min(initial=matrix.shape[axis]):
        near = combine(_without(near, -span, axis), _without(near, span, axis))
        span *= 2
    result: npt.NDArray[Any] = near.take(edges[:-1], axis)
    for offset in range(span, int(widths.max(initial=0)), span):
        # What reaches beyond a block is moved back into it: a cell seen twice changes no maximum.
        combine(result, near.take(np.minimum(edges[:-1] + offset, edges[1:] - span), axis), out=result)
    return result


def _rows(combine: np.ufunc, matrix: npt.NDArray[Any], edges: Edges) -> npt.NDArray[Any]:
    """Blocks of rows, one after the other."""
    rows = np.empty((len(edges) - 1, matrix.shape[1]), matrix.dtype)
    for place, (first, last) in enumerate(itertools.pairwise(edges.tolist())):
        combine.reduce(matrix[first:last], axis=0, out=rows[place])
    return rows


def _few_rows(combine: np.ufunc, matrix: npt.NDArray[Any], edges: Edges) -> npt.NDArray[Any]:
    """Blocks of few rows: of many blocks all first rows, then all second ones, in hundreds of calls fewer."""
    rows = np.empty((len(edges) - 1, matrix.shape[1]), matrix.dtype)
    many = max(1, _AT_ONCE // matrix.shape[1])  # no more than the processor's cache holds
    spare = np.empty_like(rows[:many])
    for top in range(0, len(rows), many):
        found, ends = rows[top : top + many], edges[top : top + many + 1]
        part, firsts, lasts = matrix[ends[0] : ends[-1]], ends[:-1] - ends[0], ends[1:] - ends[0] - 1
        part.take(firsts, 0, found, "clip")  # any other mode would copy the result once more
        for offset in range(1, int((lasts - firsts).max()) + 1):
            # A row seen twice changes no maximum.
            other = spare[: len(found)]
            part.take(np.minimum(firsts + offset, lasts), 0, other, "clip")
            combine(found, other, out=found)
    return rows


def _without(matrix: npt.NDArray[Any], count: int, axis: int) -> npt.NDArray[Any]:
    """All but the first, or (below 0) the last, few along an axis."""
    part = slice(count, None) if count > 0 else slice(count)
    return matrix[part] if axis == 0 else matrix[:, part]


def _blocks(combine: np.ufunc, matrix: npt.NDArray[Any], rows: int, columns: int) -> npt.NDArray[Any]:
    if rows < matrix.shape[0]:
        matrix = pooled_along(combine, matrix, edges_of(matrix.shape[0], rows), 0)
    if columns < matrix.shape[1]:
        matrix = pooled_along(combine, matrix, edges_of(matrix.shape[1], columns), 1)
    return matrix
