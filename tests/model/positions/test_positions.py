"""Numbers of positional encodings beside plain loops of the paper's formula."""

from __future__ import annotations

import cmath
import math

import numpy as np
import pytest

from model.config import PositionLayout
from model.network.embeddings import sinusoidal_table as torch_table
from model.positions import positions
from model.positions.positions import (
    exact_similarity,
    frequencies,
    hands,
    pair_columns,
    rotation,
    similarity_by_offset,
    sinusoidal_distances,
    sinusoidal_table,
    smallest_distance,
    turned,
    wavelengths,
)

LAYOUTS: tuple[PositionLayout, ...] = ("interleaved", "halves")


def by_formula(count: int, d_model: int, base: float) -> list[list[float]]:
    """PE(pos, 2i) = sin(pos / base^(2i/d)), PE(pos, 2i+1) = cos(pos / base^(2i/d)), written out."""
    table = []
    for position in range(count):
        row = []
        for dimension in range(d_model):
            angle = position / math.pow(base, (dimension - dimension % 2) / d_model)
            row.append(math.cos(angle) if dimension % 2 else math.sin(angle))
        table.append(row)
    return table


@pytest.mark.parametrize(("d_model", "base"), [(8, 10000.0), (64, 1000.0), (2, 100.0)])
def test_the_table_is_the_papers_formula(d_model: int, base: float) -> None:
    expected = np.array(by_formula(300, d_model, base))
    found = sinusoidal_table(300, d_model, base=base)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, atol=1e-7)
    halves = sinusoidal_table(300, d_model, base=base, layout="halves")
    np.testing.assert_array_equal(halves[:, : d_model // 2], found[:, 0::2])
    np.testing.assert_array_equal(halves[:, d_model // 2 :], found[:, 1::2])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_models_own_table_is_the_same(layout: PositionLayout) -> None:
    own = torch_table(1024, 48, base=5000.0, layout=layout).numpy()
    np.testing.assert_allclose(sinusoidal_table(1024, 48, base=5000.0, layout=layout), own, atol=1e-7)


def test_the_first_pair_turns_in_two_pi_and_the_last_nearly_base_times_slower() -> None:
    found = wavelengths(4, 10000.0)
    np.testing.assert_allclose(found, [2 * math.pi, 2 * math.pi * 100], rtol=1e-12)
    np.testing.assert_allclose(frequencies(4, 10000.0), [1.0, 0.01], rtol=1e-12)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_pairs_name_their_dimensions(layout: PositionLayout) -> None:
    table = sinusoidal_table(9, 10, base=50.0, layout=layout)
    found = hands(table, layout)
    assert found.shape == (9, 5, 2)
    for pair in range(5):
        sine, cosine = pair_columns(pair, 10, layout)
        np.testing.assert_array_equal(found[:, pair, 0], table[:, sine])
        np.testing.assert_array_equal(found[:, pair, 1], table[:, cosine])
        angle = 7 / 50.0 ** (2 * pair / 10)
        assert found[7, pair, 0] == pytest.approx(math.sin(angle), abs=1e-7)


def test_a_rotation_is_a_product_of_complex_numbers() -> None:
    # cos + i sin of the position times that of the offset is that of their sum.
    sine, cosine = rotation(0.7) @ np.array([math.sin(1.9), math.cos(1.9)])
    product = cmath.exp(0.7j) * cmath.exp(1.9j)
    assert (sine, cosine) == pytest.approx((product.imag, product.real))
    np.testing.assert_allclose(rotation(math.pi / 2), [[0, 1], [-1, 0]], atol=1e-15)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_row_is_the_rotated_earlier_one(layout: PositionLayout) -> None:
    table = sinusoidal_table(600, 32, base=1000.0, layout=layout)
    found = turned(table, 41, 500, base=1000.0, layout=layout)
    assert found.differences.shape == (16,)
    assert float(found.differences.max()) < 2e-7
    angle = 541 / 1000.0 ** (6 / 32)
    np.testing.assert_allclose(found.wanted[3], [math.sin(angle), math.cos(angle)], atol=1e-7)
    wrong = turned(table, 41, 500, base=10000.0, layout=layout)
    assert float(wrong.differences.max()) > 0.1, "the base of another table"
    other: PositionLayout = "halves" if layout == "interleaved" else "interleaved"
    assert float(turned(table, 41, 500, base=1000.0, layout=other).differences.max()) > 0.1


def some_rows() -> np.ndarray:
    rows = np.random.default_rng(3).normal(size=(11, 5)).astype(np.float32)
    rows[4] = 0.0
    rows[9] = rows[2]
    return rows


@pytest.mark.parametrize("block", [3, 1024])
def test_similarity_by_offset_is_what_loops_find(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "_BLOCK", block)
    rows = some_rows()
    found = similarity_by_offset(rows)
    for offset in range(11):
        products, cosines = [], []
        for position in range(11 - offset):
            a, b = rows[position].astype(float), rows[position + offset].astype(float)
            product = sum(x * y for x, y in zip(a, b, strict=True))
            lengths = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b))
            products.append(product)
            cosines.append(product / lengths if lengths else 0.0)
        assert found.mean[offset] == pytest.approx(sum(products) / len(products))
        assert found.low[offset] == pytest.approx(min(products))
        assert found.high[offset] == pytest.approx(max(products))
        assert found.deviation[offset] == pytest.approx(float(np.std(products)), abs=1e-12)
        assert found.cosine[offset] == pytest.approx(sum(cosines) / len(cosines))


def test_of_sinusoids_only_the_offset_counts() -> None:
    found = similarity_by_offset(sinusoidal_table(40, 16, base=300.0))
    plain = [sum(math.cos(k / 300.0 ** (2 * i / 16)) for i in range(8)) for k in range(40)]
    np.testing.assert_allclose(exact_similarity(40, 16, 300.0), plain, rtol=1e-12)
    np.testing.assert_allclose(found.mean, plain, atol=1e-6)
    assert float(found.deviation.max()) < 1e-6


@pytest.mark.parametrize("block", [3, 1024])
@pytest.mark.parametrize("twins", [True, False])
def test_the_nearest_rows_are_what_loops_find(
    block: int, twins: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "_BLOCK", block)
    rows = some_rows()
    if not twins:
        rows[9] += 0.3
    far = {(a, b): math.dist(rows[a], rows[b]) for a in range(11) for b in range(11) if a != b}
    found = smallest_distance(rows)
    pair = min(far, key=lambda pair: (far[pair], pair))
    assert found.pair == pair
    assert found.distance == pytest.approx(far[pair])
    if twins:
        assert (found.pair, found.distance) == ((2, 9), 0.0)
    for position in range(11):
        nearest = min(value for (a, _), value in far.items() if a == position)
        assert found.by_position[position] == pytest.approx(nearest)


def test_one_row_has_no_neighbour() -> None:
    found = smallest_distance(np.ones((1, 4), np.float32))
    assert found.pair is None
    assert math.isinf(found.distance)


def test_of_equally_near_positions_the_first_two_are_named() -> None:
    table = sinusoidal_table(2100, 16, base=10000.0)
    found = smallest_distance(table)
    plain = sinusoidal_distances(2100, 16, 10000.0)
    expected = math.sqrt(sum(2 - 2 * math.cos(1 / 10000.0 ** (2 * i / 16)) for i in range(8)))
    assert plain[1] == pytest.approx(expected)
    nearest = 1 + int(np.argmin(plain[1:]))
    assert found.pair == (0, nearest)
    assert found.distance == pytest.approx(float(plain[nearest]), abs=1e-5)
    brute = [math.dist(table[0], table[k]) for k in range(200)]
    np.testing.assert_allclose(plain[:200], brute, atol=1e-6)
