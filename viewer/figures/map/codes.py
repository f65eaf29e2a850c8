"""Map codes: the cells of a map in view as places in a colour table."""

from __future__ import annotations

from viewer.figures.canvas.cell_colours import Codes, codes, pooled, pooled_mask
from viewer.figures.map.spec import MapSpec


def map_codes(
    spec: MapSpec, window: tuple[int, int, int, int], pixels: tuple[int, int]
) -> tuple[Codes, bool]:
    """Colour codes of the rows shown within a window of cells, and whether cells were pooled.

    Args:
        window: first and last row and column, half-open.
        pixels: device pixels that the window covers, down and across; fewer than cells: the cells are pooled.
    """
    first, last, left, right = window
    last = min(last, spec.shown_rows)
    matrix = spec.matrix[first:last, left:right]
    masked, absent = (
        None if mask is None else mask[first:last, left:right] for mask in (spec.masked, spec.absent)
    )
    rows, columns = (min(have, max(1, room)) for have, room in zip(matrix.shape, pixels, strict=True))
    small = rows < matrix.shape[0] or columns < matrix.shape[1]
    if small:
        matrix = pooled(matrix, rows, columns)
        masked, absent = (
            None if mask is None else pooled_mask(mask, rows, columns) for mask in (masked, absent)
        )
    return codes(matrix, masked, spec.levels, sqrt_scale=spec.sqrt_scale, absent=absent), small
