"""Curves clipped at the edges of their plot: vector files have no clipping that every program understands."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from viewer.document.training.curves import Column, Series

Mask = npt.NDArray[np.bool_]
Box = tuple[float, float, float, float]


def clipped(series: Series, box: Box) -> Series:
    """The parts of a polyline inside a box, set apart by NaN; the line itself where it lies inside.

    Liang and Barsky's algorithm ("A New Concept and Method for Line Clipping", 1984), all segments at once.

    Args:
        series: x and y of the corners; a corner that is not a number ends the line there.
        box: lowest x, highest x, lowest y, highest y.
    """
    x, y = series
    left, right, bottom, top = box
    inside = (x >= left) & (x <= right) & (y >= bottom) & (y <= top)
    if inside.all():
        return series
    if len(x) < 2:
        return x[:0], y[:0]
    dx, dy = np.diff(x), np.diff(y)
    enter, leave = np.zeros(len(dx)), np.ones(len(dx))
    kept = np.isfinite(dx) & np.isfinite(dy)
    for direction, room in (
        (-dx, x[:-1] - left),
        (dx, right - x[:-1]),
        (-dy, y[:-1] - bottom),
        (dy, top - y[:-1]),
    ):
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            at = room / direction
        enter = np.where(direction < 0, np.fmax(enter, at), enter)
        leave = np.where(direction > 0, np.fmin(leave, at), leave)
        kept &= ~((direction == 0) & (room < 0))
    kept &= enter < leave
    places = np.flatnonzero(kept)
    # A segment that begins where the one before it ends goes on with its line.
    goes_on = (np.diff(places, prepend=-2) == 1) & (enter[places] == 0) & (np.roll(leave[places], 1) == 1)
    shown = np.ones((len(places), 3), bool)
    shown[:, 0] = ~goes_on
    shown[:-1, 2] = ~goes_on[1:]
    cut = enter[places], leave[places]
    return _joined(x[places], dx[places], cut, shown), _joined(y[places], dy[places], cut, shown)


def _joined(start: Column, change: Column, cut: tuple[Column, Column], shown: Mask) -> Column:
    """Both ends of each segment and NaN after it, as far as they are shown."""
    ends = np.full(len(start), np.nan)
    parts = np.stack((start + cut[0] * change, start + cut[1] * change, ends), axis=1)
    joined: Column = parts[shown]
    return joined
