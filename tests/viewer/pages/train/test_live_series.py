"""The arithmetic of the curves against plain loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.pages.train.curves.curves_clip import clipped
from viewer.pages.train.curves.curves_series import (
    nearest,
    round_step,
    settled_end,
    thinned,
    trailing_mean,
    value_bounds,
    within,
)

NAN = math.nan


@pytest.mark.parametrize(
    "values", [[], [3.0], [1.0, 2.0, 6.0, -4.0, 0.5], [1.0, NAN, 3.0, NAN, NAN, NAN, 2.0]]
)
def test_the_trailing_mean_is_of_the_last_numbers_there_are(values: list[float]) -> None:
    found = trailing_mean(np.array(values), 3)

    for index in range(len(values)):
        window = [v for v in values[max(0, index - 2) : index + 1] if not math.isnan(v)]
        if window:
            assert found[index] == pytest.approx(sum(window) / len(window))
        else:
            assert math.isnan(found[index])


def test_thinning_keeps_every_extreme() -> None:
    draw = np.random.default_rng(0)
    steps, values = np.arange(100_000.0), draw.normal(size=100_000)
    values[[777, 54_321]] = [40.0, -40.0]

    x, y = thinned((steps, values), 300)

    assert len(x) == len(y) == 600
    assert y.max() == 40.0
    assert y.min() == -40.0
    assert abs(x[y.argmax()] - 777) <= 100_000 / 300
    few = (steps[:600], values[:600])
    assert thinned(few, 300) is few


def test_a_part_reaches_one_point_beyond_the_view() -> None:
    series = (np.array([0.0, 10, 20, 30, 40, 50]), np.arange(6.0))

    (steps, values), before = within(series, 15, 35)
    assert steps.tolist() == [10, 20, 30, 40]
    assert (values.tolist(), before) == ([1, 2, 3, 4], 0)

    (steps, _), before = within(series, 35, 38, before=2)
    assert steps.tolist() == [10, 20, 30, 40]
    assert before == 2


def test_bounds_are_of_what_is_a_number() -> None:
    low, high = value_bounds([np.array([1.0, NAN, 3.0]), np.array([]), np.array([math.inf, -1.0])]) or (0, 0)
    assert (low, high) == pytest.approx((-1.5, 3.5))
    assert value_bounds([np.array([NAN]), np.array([])]) is None
    flat = value_bounds([np.array([2.0, 2.0])])
    assert flat is not None
    assert flat[0] < 2.0 < flat[1]


def test_bounds_stay_while_the_values_change_a_little() -> None:
    found = {value_bounds([np.array([1.0, 5.0 + extra])]) for extra in np.linspace(0, 0.1, 11)}
    assert len(found) == 1
    low, high = value_bounds([np.array([0.0, 10.0])]) or (0, 0)
    assert -0.5 < low < 0  # zero is near the bottom: nothing is below it
    assert 10 < high <= 11


def test_the_axis_of_steps_ends_beyond_the_last_and_seldom_elsewhere() -> None:
    ends = [settled_end(step) for step in range(1000, 2001)]

    assert all(1.01 * step <= end <= 1.15 * step for step, end in zip(range(1000, 2001), ends, strict=True))
    assert len(set(ends)) < 20
    assert settled_end(10) == 11


@pytest.mark.parametrize(("step", "index"), [(-5, 0), (4, 0), (6, 1), (10, 1), (24, 2), (26, 3), (1e9, 3)])
def test_the_nearest_point(step: float, index: int) -> None:
    assert nearest((np.array([0.0, 10, 20, 30]), np.zeros(4)), step) == index


def test_nothing_is_near_in_an_empty_series() -> None:
    assert nearest((np.zeros(0), np.zeros(0)), 3) is None


@given(st.floats(1e-9, 1e9), st.integers(1, 40))
def test_ticks_are_round_and_not_too_many(span: float, most: int) -> None:
    step = round_step(span, most)

    assert float(f"{step:e}"[0]) in (1, 2, 5)
    assert span / step <= most * (1 + 1e-6)
    # A finer one would be too many.
    assert span / (step / 2.5) > most * (1 - 1e-6)


@given(
    st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=2, max_size=8),
)
def test_a_clipped_line_is_the_line_inside_the_box(points: list[tuple[float, float]]) -> None:
    box = (-3.0, 4.0, -2.0, 5.0)
    x, y = (np.array(side) for side in zip(*points))

    cut_x, cut_y = clipped((x, y), box)

    seen = [(a, b) for a, b in zip(cut_x, cut_y) if not math.isnan(a)]
    assert all(-3 - 1e-9 <= a <= 4 + 1e-9 and -2 - 1e-9 <= b <= 5 + 1e-9 for a, b in seen)
    # As long as what a fine walk along the line finds inside.
    walked = sum(
        math.hypot(x[i + 1] - x[i], y[i + 1] - y[i]) / 2000
        for i in range(len(x) - 1)
        for t in (np.arange(2000) + 0.5) / 2000
        if -3 <= x[i] + t * (x[i + 1] - x[i]) <= 4 and -2 <= y[i] + t * (y[i + 1] - y[i]) <= 5
    )
    drawn = np.hypot(np.diff(cut_x), np.diff(cut_y))
    assert float(drawn[np.isfinite(drawn)].sum()) == pytest.approx(walked, abs=0.2)


def test_a_hole_in_the_numbers_is_a_hole_in_the_line() -> None:
    cut_x, _ = clipped((np.array([0.0, 1, 2, 3, 4]), np.array([0.0, 0, NAN, 0, 0])), (0, 4, -1, 1))

    assert [a for a in cut_x if not math.isnan(a)] == [0, 1, 3, 4]
