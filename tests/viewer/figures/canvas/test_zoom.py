from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.figures.canvas.zoom import Zoom

SIZES = st.integers(1, 2000)
SHARES = st.floats(0, 1)


def test_zooming_keeps_the_point_under_the_pointer() -> None:
    zoom = Zoom.whole(100, 200).zoomed(2, 40, 150, 100, 200)
    assert (zoom.first_row, zoom.last_row) == (20, 70)
    assert (zoom.first_column, zoom.last_column) == (75, 175)
    assert zoom.cells(100, 200) == (20, 70, 75, 175)
    assert zoom.panned(-100, 10, 100, 200) == Zoom(0, 50, 85, 185)


@given(SIZES, SIZES, st.lists(st.tuples(st.floats(0.1, 10), SHARES, SHARES, SHARES, SHARES), max_size=6))
def test_no_way_of_moving_leaves_the_map(
    rows: int, columns: int, moves: list[tuple[float, float, float, float, float]]
) -> None:
    zoom = Zoom.whole(rows, columns)
    for factor, row, column, down, right in moves:
        zoom = zoom.zoomed(factor, row * rows, column * columns, rows, columns)
        zoom = zoom.panned((down - 0.5) * rows, (right - 0.5) * columns, rows, columns)
        first, last, left, end = zoom.cells(rows, columns)
        assert 0 <= first < last <= rows
        assert 0 <= left < end <= columns
        assert zoom.last_row - zoom.first_row == pytest.approx(last - first, abs=1.01)


def test_zooming_out_again_shows_everything() -> None:
    zoom = Zoom.whole(50, 60).zoomed(3, 10, 10, 50, 60).zoomed(0.2, 20, 20, 50, 60)
    assert zoom.is_whole(50, 60)
    assert not Zoom(0, 49, 0, 60).is_whole(50, 60)


def test_an_empty_map_has_no_cells_to_zoom() -> None:
    assert Zoom.whole(0, 0).cells(0, 0) == (0, 0, 0, 0)
