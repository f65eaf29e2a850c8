"""Thumbnails of the heads of a kind: read one at a time, pooled, and kept small."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from viewer.figures.canvas.cell_colours import HATCH, LATER, MASKED, Codes, codes
from viewer.figures.canvas.cells import HATCH_GAP
from viewer.figures.canvas.matrix import Mask, Matrix
from viewer.figures.heads.spec import HeadsSpec


class Thumbnails:
    """Pooled weights of every head of a kind, float32 [layer, head, y, x], filled in one head at a time.

    What is kept is the size of the picture, not of the weights, so that another step, scale or theme needs
    nothing from the file.
    """

    def __init__(
        self, spec: HeadsSpec, high: int, wide: int, stroke: float, like: Thumbnails | None = None
    ) -> None:
        """Takes what to read and how large, in device pixels.

        Args:
            stroke: device pixels a logical pixel, for the distance of hatching.
            like: the same heads at another size: what they look like until they are read.
        """
        grid = spec.grid
        self._grid = grid
        self._high, self._wide, self._stroke = high, wide, stroke
        self._bottom = round(high * grid.rows / spec.rows) if spec.rows else 0
        rows, columns = min(grid.rows, self._bottom), min(spec.columns, wide)
        self._values: Matrix = np.zeros((grid.layers, grid.heads, rows, columns), np.float32)
        self._masked: Mask = np.zeros(self._values.shape, np.bool_)
        self.read = 0
        self.complete = self._values.size == 0
        self._foreseen = like is not None and like.complete and like._values.size > 0
        if like is not None and self._foreseen:
            row, column = _nearest(like._values.shape[2], rows), _nearest(like._values.shape[3], columns)
            self._values[:] = like._values[:, :, row][..., column]
            self._masked[:] = like._masked[:, :, row][..., column]
        self._coded: tuple[object, Codes] | None = None

    def reading(self) -> Iterator[None]:
        """Read what is missing, a few rows or a head at a time; goes on where another left it.

        Raises:
            HeadscopeError: the file cannot be read any more.
        """
        while not self.complete:
            place = self.read
            layer, head = divmod(place, self._grid.heads)
            rows, columns = self._values.shape[2:]
            picture = yield from self._grid.pooled(layer, head, rows, columns)
            if place == self.read:  # nobody else has read it meanwhile
                self._values[layer, head] = picture.values
                self._masked[layer, head] = False if picture.masked is None else picture.masked
                self.read += 1
                self.complete = self.read == self._grid.layers * self._grid.heads
            yield

    def read_all(self) -> None:
        """Read what is missing; raises as `reading`."""
        for _ in self.reading():
            pass

    def codes(self, levels: tuple[float, float], *, sqrt_scale: bool) -> tuple[int, Codes]:
        """How many heads are read, and colour codes at the thumbnails' size, [layer, y, head, x].

        They are `LATER` where none is read yet. A thread may read on meanwhile: whoever remembers what was
        made of the codes asks here, not `read`, of how many heads they are.
        """
        read, coded = self.read, self._coded
        key = (read, levels, sqrt_scale)
        if coded is None or coded[0] != key:
            self._coded = coded = (key, self._encode(read, levels, sqrt_scale=sqrt_scale))
        return read, coded[1]

    def _encode(self, read: int, levels: tuple[float, float], *, sqrt_scale: bool) -> Codes:
        layers, heads, rows, columns = self._values.shape
        atlas = np.full((layers, heads, self._high, self._wide), LATER, np.uint16)
        if self._values.size:
            small = codes(self._values, self._masked, levels, sqrt_scale=sqrt_scale)
            row, column = _nearest(rows, self._bottom), _nearest(columns, self._wide)
            atlas[:, :, : self._bottom] = small[:, :, row][..., column]
        if not self._foreseen:
            atlas.reshape(layers * heads, self._high, self._wide)[read:] = LATER
        gap = max(2, round(HATCH_GAP * self._stroke))
        strokes = (np.arange(self._high)[:, None] + np.arange(self._wide)) % gap == 0
        atlas[(atlas == MASKED) & strokes] = HATCH
        result: Codes = np.ascontiguousarray(atlas.transpose(0, 2, 1, 3))
        return result


def _nearest(cells: int, pixels: int) -> npt.NDArray[np.int64]:
    """For each pixel the cell at its centre."""
    return ((np.arange(pixels) + 0.5) * cells / max(1, pixels)).astype(np.int64)
