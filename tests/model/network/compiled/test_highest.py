"""The highest of a row; oracle: numpy's stable sort."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from model.decoding import candidates
from model.decoding.candidates import ranked
from model.network.compiled.highest import MOST, highest
from model.network.compiled.library import library

compiled = pytest.mark.skipif(library() is None, reason="no compiler of C when it was installed")

# Few different numbers, so that many are equal; what no token may be is as low as can be.
NUMBERS = st.sampled_from([-np.inf, -2.5, -1.0, -0.0, 0.0, 1e-30, 0.5, 0.5000001, 3.0])
ROWS = arrays.arrays(np.float32, st.tuples(st.integers(1, 3), st.integers(1, 200)), elements=NUMBERS)


def by_sorting(values: np.ndarray, count: int) -> np.ndarray:
    return np.argsort(-values, axis=-1, kind="stable")[:, :count]


@compiled
@given(values=ROWS, count=st.integers(1, MOST))
def test_equal_numbers_come_in_order(values: np.ndarray, count: int) -> None:
    count = min(count, values.shape[1])
    found = highest(torch.from_numpy(values), count)
    assert found is not None
    np.testing.assert_array_equal(found, by_sorting(values, count))


@compiled
@pytest.mark.parametrize("count", [1, 11, MOST])
def test_of_a_large_vocabulary(count: int) -> None:
    values = np.random.default_rng(count).standard_normal((4, 58101), np.float32)
    found = highest(torch.from_numpy(values), count)
    np.testing.assert_array_equal(found, by_sorting(values, count))
    # Rows with gaps between them.
    turned = torch.from_numpy(np.ascontiguousarray(values.T)).t()
    np.testing.assert_array_equal(highest(turned, count), found)


@compiled
def test_rising_numbers_and_what_is_no_number() -> None:
    rising = torch.arange(500.0)[None]
    np.testing.assert_array_equal(highest(rising, 3), [[499, 498, 497]])
    rising[0, 499] = torch.nan
    np.testing.assert_array_equal(highest(rising, 2), [[498, 497]])
    places = highest(torch.full((1, 70), torch.nan), 5)
    assert places is not None
    assert ((places >= 0) & (places < 70)).all()


def test_others_are_left_to_torch() -> None:
    assert highest(torch.zeros(1, 200, dtype=torch.float64), 3) is None
    assert highest(torch.zeros(1, 200), MOST + 1) is None


@given(values=ROWS, count=st.integers(1, 10))
def test_torch_gives_the_same_order(values: np.ndarray, count: int) -> None:
    count = min(count, values.shape[1])
    with pytest.MonkeyPatch.context() as without:
        without.setattr(candidates, "highest", lambda *_: None)
        np.testing.assert_array_equal(ranked(torch.from_numpy(values), count), by_sorting(values, count))
