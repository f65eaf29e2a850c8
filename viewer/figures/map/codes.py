"""Map codes: the cells of a map in view as places in a colour table."""

from __future__ import annotations

import numpy as np

from viewer.figures.canvas.cell_colours import Codes, codes, pooled, pooled_mask
from viewer.figures.map.long_map import LongArray, LongMap, Window, shown_until
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
    if isinstance(spec.matrix, LongArray):
        return _long_codes(spec, spec.matrix.of, (first, max(first, last), left, right), pixels)
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


def _long_codes(spec: MapSpec, long: LongMap, window: Window, pixels: tuple[int, int]) -> tuple[Codes, bool]:
    """Of a long map: from the picture of all of it, if that has as many pixels; nothing is read to be finer.

    A number is then less than a pixel from where it belongs.
    """
    first, last, left, right = window
    if last <= first:
        return np.zeros((0, min(right - left, pixels[1])), np.uint16), False
    picture = long.coarse(window)
    if (
        picture is None
        or picture.values.shape[0] < min(pixels[0], last - first)
        or picture.values.shape[1] < min(pixels[1], right - left)
    ):
        picture = long.whole_picture(window, pixels)
    whole, picture = picture, shown_until(picture, last)
    if not picture.values.size:  # few rows are shown, all in one pixel of the picture
        picture = long.strip(window, pixels[1])
    rows, columns = (min(have, max(1, room)) for have, room in zip(picture.values.shape, pixels, strict=True))
    values = pooled(picture.values, rows, columns)
    masked = None if picture.masked is None else pooled_mask(picture.masked, rows, columns)
    return codes(values, masked, spec.levels, sqrt_scale=spec.sqrt_scale), whole.pooled
