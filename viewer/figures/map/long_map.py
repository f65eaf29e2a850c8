"""Long maps: more cells than are read while a person waits; by rows, and pooled to what a screen shows.

A pixel that stands for several cells shows the number among them that is farthest from 0, as in every other
map: a mean would hide a lone strong weight, a sample would lose it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from model.trace.trace import row_blocks
from model.work import result_of
from viewer.figures.canvas.cell_colours import edges_of, pooled_along
from viewer.figures.canvas.matrix import Mask, Matrix
from viewer.figures.known import NotRead

LONG = 1 << 21
"""Cells up to which a map is read whole: 1,448 tokens by as many."""
_NOT_WAITED_FOR = 8
"""A part of which whole rows are no more than this share of `LONG` is read while it is drawn: 5 to 10 ms."""
_OVERVIEW = 768  # rows and columns of a picture of all of it, where nobody has said how large it is drawn
_MOST_PICTURES = 6
_MOST_ROWS = 8

Window = tuple[int, int, int, int]
"""First and last row and column, half-open."""
Block = tuple[Matrix, Mask | None]
"""Some rows: numbers [query, key], and True where attention was not allowed, None where it always was."""


@dataclass(frozen=True, eq=False)
class Picture:
    """A part of a map on fewer rows and columns than it has cells, or as many.

    Attributes:
        window: the cells that it shows.
        values: float32 [y, x], of each block of cells the number farthest from 0.
        masked: True where the whole block is masked; None where nothing is.
    """

    window: Window
    values: Matrix
    masked: Mask | None

    @property
    def pooled(self) -> bool:
        """Whether some number stands for several cells."""
        first, last, left, right = self.window
        return self.values.shape != (last - first, right - left)


class LongMap:
    """Reads a map by rows; keeps pictures of it, never the map.

    Attributes:
        shape: rows and columns.
        scanned: whether every row was read once: what is said of a whole map is known only then.
        any_masked: whether some cell is masked; as far as was read.
        drawn: rows and columns of the picture of all of it that a window drew last.
    """

    def __init__(
        self,
        shape: tuple[int, int],
        read: Callable[[int, int], Block],
        then: Callable[[], object] = lambda: None,
    ) -> None:
        """Takes what it reads.

        Args:
            read: gives out rows `first` to `last` (exclusive).
            then: done once all rows were read.
        """
        self.shape = shape
        self.scanned = False
        self.any_masked = False
        self.drawn = (min(shape[0], _OVERVIEW), min(shape[1], _OVERVIEW))
        self._read, self._then = read, then
        self._lock = threading.Lock()  # an export may draw it while the window does
        self._pictures: OrderedDict[tuple[Window, tuple[int, int]], Picture] = OrderedDict()
        self._overview: Picture | None = None
        self._rows: OrderedDict[int, Block] = OrderedDict()

    @property
    def whole(self) -> Window:
        """All of it as a window."""
        return 0, self.shape[0], 0, self.shape[1]

    @property
    def largest(self) -> float:
        """The largest number of a map that was scanned, of which none is below 0; 0 where there is none."""
        return 0.0 if self._overview is None else float(self._overview.values.max(initial=0.0))

    def rows(self, first: int, last: int) -> Block:
        """Rows as they are; of single ones the last few are kept, for who goes along a row."""
        if last - first != 1:
            return self._read(first, last)
        found = self._rows.get(first)
        if found is None:
            found = self._read(first, last)
            with self._lock:
                while len(self._rows) >= _MOST_ROWS:
                    self._rows.popitem(last=False)
                self._rows[first] = found
        return found

    def scan(self) -> Iterator[None]:
        """Read every row once, and make the picture of all of it; may be left at every `yield`."""
        if not self.scanned:
            made = yield from self.read_picture(self.whole, self.drawn)
            if self._overview is None:  # it is drawn at another size by now
                self._overview = made
            self._then()
            self.scanned = True

    def picture(self, window: Window, pixels: tuple[int, int]) -> Picture | None:
        """The picture of a part, None where it would have to be waited for (see `read_picture`).

        Args:
            pixels: the most rows and columns that it may have; it never has more than there are cells.
        """
        with self._lock:
            found = self._pictures.get(self._key(window, pixels))
            if found is not None:
                self._pictures.move_to_end(self._key(window, pixels))
        if found is None and (window[1] - window[0]) * self.shape[1] <= LONG // _NOT_WAITED_FOR:
            return self.whole_picture(window, pixels)
        return found

    def whole_picture(self, window: Window, pixels: tuple[int, int]) -> Picture:
        """The same, waited for."""
        return result_of(self.read_picture(window, pixels))

    def strip(self, window: Window, wide: int) -> Picture:
        """Few rows as a single row of pixels."""
        wide = min(window[3] - window[2], max(1, wide))
        return result_of(pooled_picture(self._read, self.shape[1], window, 1, wide))

    def coarse(self, window: Window) -> Picture | None:
        """What is at hand of a part, cut out of the picture of all of it; it shows some cells around too."""
        of = self._overview
        if of is None:
            return None
        first, last, left, right = window
        down, across = edges_of(self.shape[0], len(of.values)), edges_of(self.shape[1], of.values.shape[1])
        rows, columns = _covering(down, first, last), _covering(across, left, right)
        around = (
            int(down[rows.start]),
            int(down[rows.stop]),
            int(across[columns.start]),
            int(across[columns.stop]),
        )
        masked = None if of.masked is None else of.masked[rows, columns]
        return Picture(around, of.values[rows, columns], masked)

    def read_picture(self, window: Window, pixels: tuple[int, int]) -> Generator[None, None, Picture]:
        """Make the picture of a part; may be left at every `yield`."""
        key = self._key(window, pixels)
        found = self._pictures.get(key)
        if found is not None:
            return found
        made = yield from pooled_picture(self._read, self.shape[1], window, *key[1])
        with self._lock:
            while len(self._pictures) >= _MOST_PICTURES:
                self._pictures.popitem(last=False)
            self._pictures[key] = made
            if key == self._key(self.whole, self.drawn):  # a file's is many times as large
                self._overview = made
            self.any_masked |= made.masked is not None
        return made

    def _key(self, window: Window, pixels: tuple[int, int]) -> tuple[Window, tuple[int, int]]:
        first, last, left, right = window
        high, wide = pixels
        return window, (min(last - first, max(1, high)), min(right - left, max(1, wide)))


def pooled_picture(
    read: Callable[[int, int], Block], row: int, window: Window, high: int, wide: int
) -> Generator[None, None, Picture]:
    """The picture of a part, a few rows at a time.

    Args:
        read: gives out rows `first` to `last` (exclusive) with all their columns.
        row: how many columns those are.
        high, wide: rows and columns of the picture, from 1 to those of the part.
    """
    first, last, left, right = window
    columns = slice(left, right)
    down, across = first + edges_of(last - first, high), edges_of(right - left, wide)
    values = np.zeros((high, wide), np.float32)
    masked: Mask | None = None
    for top, bottom in _pixel_blocks(down, row):
        numbers, forbidden = read(int(down[top]), int(down[bottom]))
        inside = down[top : bottom + 1] - down[top]
        values[top:bottom] = _farthest(numbers[:, columns], inside, across)
        if forbidden is not None:
            if masked is None:
                masked = np.zeros((high, wide), np.bool_)
            along = pooled_along(np.logical_and, forbidden[:, columns], inside, 0)
            masked[top:bottom] = pooled_along(np.logical_and, along, across, 1)
        yield
    return Picture(window, values, masked)


class LongArray:
    """Numbers or mask of a long map in place of an array: what is asked for is read then, exactly.

    It answers to indices by reading the rows that they name; as an array it gives out all of the map, which
    is for those alone who may take long (an export).
    """

    def __init__(self, of: LongMap, *, mask: bool = False) -> None:
        self.of = of
        self.dtype: np.dtype[Any] = np.dtype(np.bool_ if mask else np.float32)
        self._mask = mask

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.of.shape

    @property
    def size(self) -> int:
        """Number of cells."""
        return self.shape[0] * self.shape[1]

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        rows, columns = key if isinstance(key, tuple) else (key, slice(None))
        if isinstance(rows, int | np.integer):
            place = range(self.shape[0])[rows]
            return self._part(place, place + 1)[0][columns]
        wanted = np.arange(self.shape[0])[rows]
        if not wanted.size:
            return np.zeros((0, self.shape[1]), self.dtype)[:, columns]
        if not isinstance(columns, int | np.integer | slice):
            raise IndexError("rows and columns of a long map are not chosen cell by cell")
        found = []
        for first, last in row_blocks(int(wanted[-1]) + 1 - int(wanted[0]), self.shape[1]):
            low, high = int(wanted[0]) + first, int(wanted[0]) + last
            inside = wanted[(wanted >= low) & (wanted < high)] - low
            if inside.size:
                found.append(self._part(low, high)[inside][:, columns])
        return np.concatenate(found)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        found: npt.NDArray[Any] = np.empty(self.shape, self.dtype)
        for first, last in row_blocks(*self.shape):
            found[first:last] = self._part(first, last)
        return found if dtype is None else found.astype(dtype, copy=False)

    def _part(self, first: int, last: int) -> npt.NDArray[Any]:
        numbers, masked = self.of.rows(first, last)
        if not self._mask:
            return numbers
        return np.zeros(numbers.shape, np.bool_) if masked is None else masked


AnyMatrix = Matrix | LongArray
AnyMask = Mask | LongArray


def long_arrays(long: LongMap) -> tuple[LongArray, LongArray | None]:
    """Numbers and mask of a long map that was scanned; None where nothing is masked."""
    return LongArray(long), LongArray(long, mask=True) if long.any_masked else None


def need_scan(long: LongMap, *, lazy: bool) -> None:
    """Have a long map read once; `NotRead` where that may not be waited for."""
    if not long.scanned and lazy:
        raise NotRead(long, long.scan)
    for _ in long.scan():
        pass


def shown_until(picture: Picture, last: int) -> Picture:
    """The pixels of a picture all of whose rows are before `last`."""
    first, end, left, right = picture.window
    down = first + edges_of(end - first, len(picture.values))
    kept = int(np.searchsorted(down, last, "right")) - 1
    masked = None if picture.masked is None else picture.masked[:kept]
    return replace(
        picture, window=(first, int(down[kept]), left, right), values=picture.values[:kept], masked=masked
    )


def _covering(edges: npt.NDArray[np.int64], first: int, last: int) -> slice:
    """The blocks between these edges that hold some of `first` to `last` (exclusive)."""
    start = int(np.searchsorted(edges, first, "right")) - 1
    return slice(start, max(start + 1, int(np.searchsorted(edges, last, "left"))))


def _pixel_blocks(down: npt.NDArray[np.int64], columns: int) -> Iterator[tuple[int, int]]:
    """Rows of a picture in blocks whose cells stay in a processor's cache."""
    most = row_blocks(int(down[-1] - down[0]) or 1, columns)[0][1]
    top, count = 0, len(down) - 1
    while top < count:
        bottom = max(top + 1, int(np.searchsorted(down, down[top] + most, "right")) - 1)
        bottom = min(bottom, count)
        yield top, bottom
        top = bottom


def _farthest(numbers: Matrix, down: npt.NDArray[np.int64], across: npt.NDArray[np.int64]) -> Matrix:
    """Of each block the number farthest from 0."""
    highest = pooled_along(np.maximum, pooled_along(np.maximum, numbers, down, 0), across, 1)
    if not numbers.size or float(numbers.min()) >= 0:
        return highest
    lowest = pooled_along(np.minimum, pooled_along(np.minimum, numbers, down, 0), across, 1)
    return np.where(-lowest > highest, lowest, highest)
