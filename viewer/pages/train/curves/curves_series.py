"""Curves as series: smoothing, thinning to what pixels can show, bounds. numpy only."""

from __future__ import annotations

import math

import numpy as np

from viewer.document.training.curves import Column, Series

SMOOTHED_OVER = 50  # points
_BELOW_ZERO = 0.04  # of the height: a line along zero is not cut in two


def trailing_mean(values: Column, count: int = SMOOTHED_OVER) -> Column:
    """The mean of each value and the ones before it, `count` in all; of as many as there are at first.

    A value that is not a number counts as absent.
    """
    finite = np.isfinite(values)
    if len(values) > count and finite.all():
        sums = np.cumsum(values)
        ends = np.minimum(np.arange(1, len(values) + 1), count)
        sums[count:] -= sums[:-count].copy()
        return sums / ends
    sums = np.concatenate(([0.0], np.cumsum(np.where(finite, values, 0.0))))
    counts = np.concatenate(([0], np.cumsum(finite)))
    ends = np.arange(1, len(values) + 1)
    begins = np.maximum(0, ends - count)
    present = counts[ends] - counts[begins]
    with np.errstate(invalid="ignore", divide="ignore"):
        mean: Column = (sums[ends] - sums[begins]) / present
    return mean


def within(series: Series, first: float, last: float, before: int = 0) -> tuple[Series, int]:
    """The part of a series between two steps, one point beyond on either side for the line to leave the plot.

    Args:
        before: further points wanted in front, as many as there are.

    Returns:
        the part, and how many of its first points are such further ones.
    """
    steps, values = series
    begin = max(0, int(np.searchsorted(steps, first)) - 1)
    end = int(np.searchsorted(steps, last, side="right")) + 1
    start = max(0, begin - before)
    return (steps[start:end], values[start:end]), begin - start


def thinned(series: Series, bins: int) -> Series:
    """At most `2 * bins` points that draw the same picture: of each bin the lowest and the highest."""
    steps, values = series
    if len(steps) <= 2 * bins:
        return series
    begins = np.linspace(0, len(steps), bins, endpoint=False).astype(np.int64)
    low, high = np.fmin.reduceat(values, begins), np.fmax.reduceat(values, begins)
    return np.repeat(steps[begins], 2), np.stack((low, high), axis=1).ravel()


def value_bounds(parts: list[Column]) -> tuple[float, float] | None:
    """Around the finite values, with a margin, at round numbers; None where there is none.

    They stay while the values change a little: an axis is not lettered anew each time it is drawn. What is
    never below zero has zero near the bottom, and no numbers below it.
    """
    finite = [part[np.isfinite(part)] for part in parts]
    filled = [part for part in finite if part.size]
    if not filled:
        return None
    low = min(float(part.min()) for part in filled)
    high = max(float(part.max()) for part in filled)
    margin = 0.04 * (high - low) or 0.05 * abs(high) or 0.5
    unit = round_step(high - low + 2 * margin, 16)
    bottom = math.floor((low - margin) / unit + 1e-9) * unit
    top = math.ceil((high + margin) / unit - 1e-9) * unit
    if low >= 0 > bottom:
        bottom = -_BELOW_ZERO * top
    return bottom, top


def settled_end(last: float) -> float:
    """The last step of an axis that reaches beyond `last` and stays while a run grows by some hundredths.

    An axis that grew with each step would have to be lettered anew each time it is drawn.
    """
    unit = max(1.0, round_step(last, 20))
    return math.ceil(1.01 * last / unit) * unit


def nearest(series: Series, step: float) -> int | None:
    """Index of the point whose step is nearest; None in an empty series."""
    steps = series[0]
    if not len(steps):
        return None
    after = min(int(np.searchsorted(steps, step)), len(steps) - 1)
    before = max(0, after - 1)
    return before if abs(steps[before] - step) <= abs(steps[after] - step) else after


def round_step(span: float, most: float) -> float:
    """The smallest of 1, 2 and 5 times a power of ten that divides `span` into at most `most` parts."""
    least = span / max(1.0, most)
    if not (math.isfinite(least) and least > 0):
        return 1.0
    unit = 10.0 ** math.floor(math.log10(least))
    return next((factor * unit for factor in (1, 2, 5) if factor * unit >= least * (1 - 1e-9)), 10 * unit)
